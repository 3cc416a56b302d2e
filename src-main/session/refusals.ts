/** What the session answers when it cannot do what it was asked. */
import { denied, failed } from '../../src-shared/contract/failures.ts';

export const unknownConnection = (id: string) =>
  failed(
    denied(`There is no connection “${id}”.`, 'Choose one under Settings › Connections.', 'connectionId'),
  );

export const practiceIsFixed = () =>
  failed(
    denied(
      'The practice connection is part of Ballast.',
      'Add a connection of your own instead.',
      'connectionId',
    ),
  );

export const nameTaken = (name: string) =>
  failed(denied(`There is already a connection named “${name}”.`, 'Choose another name.', 'name'));

/** @param why what the keychain says; '' when it answered and has nothing */
export const noSecret = (why: string) =>
  failed({
    kind: 'keychain',
    message: why || 'The secret is not in the keychain, or the keychain is locked.',
    next: 'Unlock the keychain, or enter the secret again.',
    field: 'secret',
  } as const);

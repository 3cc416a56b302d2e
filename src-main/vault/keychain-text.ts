/**
 * Maps the keychain library's messages to user texts. Each pattern was observed (docs/safety.md); others map to a
 * general text.
 */

const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /Cannot autolaunch D-Bus|Could not connect|DBUS_SESSION_BUS_ADDRESS|dbus-launch/i,
    'This session has no message bus (D-Bus), so no keychain can be reached.',
  ],
  [
    /org\.freedesktop\.secrets was not provided|ServiceUnknown/i,
    'No keychain service is installed (GNOME Keyring, KWallet or KeePassXC provide one).',
  ],
  [
    /Object does not exist at path|No such secret collection/i,
    'Your keychain has never been set up. Open your system’s password program once and create the login keyring.',
  ],
  [/locked collection|is locked/i, 'Your keychain is locked. Unlock it with your system’s password program.'],
  [/prompt.*dismissed|dismissed|cancel/i, 'The keychain prompt was dismissed.'],
  [
    /cannot open shared object|libsecret|dlopen|Cannot find module|\.node/i,
    'The keychain library is not installed.',
  ],
];

const GENERAL = 'Your keychain rejected the request.';

/** Returns one sentence without any of the library's own text, which could name an item. */
export const userText = (message: string): string =>
  KNOWN.find(([pattern]) => pattern.test(message))?.[1] ?? GENERAL;

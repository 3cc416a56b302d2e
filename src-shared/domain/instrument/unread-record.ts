import type { UnreadableRecord } from '../../exchange-api/replies.ts';

/** Names a record of the account in a sentence: `a record of BTC-USDT-M cannot be read`. */
export const unreadRecordText = ({ symbolId }: UnreadableRecord): string =>
  `a record of ${symbolId ?? 'the account'} cannot be read`;

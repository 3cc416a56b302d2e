/** Tells positions apart. */
import type { Position } from '../../exchange-api/account.ts';

/** Both legs of a hedge may share an id, and a reversed position may keep its own; the API does not exclude it. */
export type PositionIdentity = Pick<Position, 'symbolId' | 'side' | 'positionId'>;

/** Returns a text that differs for each position. It ends in the id, after a space. */
export const positionKey = ({ symbolId, side, positionId }: PositionIdentity): string =>
  `${symbolId} ${side} ${positionId}`;

/** Defines the settings for when the user is away: the tray icon and starting at login. */
import * as v from 'valibot';
import { call, nothing } from './call.ts';

/** `unsure`: set up, but Linux does not say whether the desktop shows it. `failed`: the system rejected it. */
export type TrayStatus = 'off' | 'shown' | 'unsure' | 'failed';

export interface LoginState {
  readonly state: 'on' | 'off' | 'unavailable';
  /** Why it is unavailable, or what keeps it from starting this program although it is on; else empty. */
  readonly note: string;
}

export interface AwayState {
  readonly tray: TrayStatus;
  readonly login: LoginState;
}

export const AWAY_CALLS = {
  'away.get': call(nothing).returns<AwayState>(),
  /** Registers or removes Ballast where the system keeps what starts at login. */
  'away.setLogin': call(v.strictObject({ on: v.boolean() })).returns<AwayState>(),
} as const;

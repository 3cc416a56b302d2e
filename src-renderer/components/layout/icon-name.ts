import type * as ICONS from './icons.ts';

export type IconName = keyof typeof ICONS;

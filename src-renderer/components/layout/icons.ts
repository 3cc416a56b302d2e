import * as ICONS from './lucide.ts';

export { ICONS };
export type IconName = keyof typeof ICONS;

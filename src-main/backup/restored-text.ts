/** The notice of the first start after a restore. */
import type { Restored } from './place.ts';

export const restoredText = ({ file, aside }: Restored): [message: string, next: string] => [
  `Everything in “${file}” was restored. Trading is locked until you unlock it.`,
  `Orders sent after that backup may be missing here: check open orders and positions first. Enter secrets under Connections where they are missing. The files from before are in ${aside} in the profile’s folder.`,
];

/** Writes how long ago something was, in seconds up to two minutes: `75 s`, `12 min`, `7 h 55 min`, `4 d 18 h`. */
export function agoText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes < 2) return `${seconds} s`;
  if (hours < 1) return `${minutes} min`;
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Writes how long ago `at` was at `now`, both in ms; never less than 0. */
export const sinceText = (at: number, now: number): string =>
  agoText(Math.max(0, Math.floor((now - at) / 1000)));

/** Formats the remaining time of a pause, rounded up to seconds: `23 s`, `2 min 5 s`. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

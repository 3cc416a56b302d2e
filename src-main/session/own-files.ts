/** Ballast's own files and folders in a profile, with what was set aside or left unfinished; the rest is Chromium's. */
const OWN =
  /^(?:archive|alerts|practice|logs|orders\.jsonl|\.?(?:settings|connections|secrets-index|window|updates)\.json)(?:\.|$)/;

export const isOwnFile = (name: string): boolean => OWN.test(name);

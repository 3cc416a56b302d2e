/** Recognises Ballast's own files in a profile, including moved-aside and temporary ones. The rest is Chromium's. */
const OWN =
  /^(?:archive|exports|alerts|practice|logs|restore|backup-work|before-restore-[\dTZ-]+|orders\.jsonl|\.?(?:settings|connections|accounts|secrets-index|webhooks|window|updates|backups|day-limits|exports)\.json)(?:\.|$)/;

export const isOwnFile = (name: string): boolean => OWN.test(name);

/**
 * Returns the letter of a key in lower case. Where the keyboard's layout has no Latin letters, as for Russian, Arabic or
 * Thai, it is the one at that place of a US keyboard.
 */
export const letterOf = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  (/[^\0-\u024f]/.test(key) ? code.replace('Key', '') : key).toLowerCase();

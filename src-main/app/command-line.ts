/** Reads what a start is for: the app, or something that needs no window. */

export type Command =
  | { readonly run: 'app' }
  | { readonly run: 'help' | 'version' }
  | { readonly run: 'export'; readonly args: readonly string[] }
  /** A word that is neither a command nor a file. */
  | { readonly run: 'unknown'; readonly word: string };

/** What only a person types. The system passes files as paths or URLs, and its own switches begin with `-`. */
const TYPED_WORD = /^[a-z]+(?:-[a-z]+)*$/;

/**
 * Switches before the command are Electron's and Chromium's, such as the `--no-sandbox` an AppImage adds; unknown ones
 * start the app as ever. `argv` begins with the program; run from source, the app's folder is its first plain argument.
 */
export function commandOf(argv: readonly string[], fromSource: boolean): Command {
  const isPlain = (arg: string): boolean => !arg.startsWith('-');
  const afterApp = fromSource ? argv.findIndex((arg, at) => at > 0 && isPlain(arg)) + 1 : 1;
  const args = argv.slice(Math.max(1, afterApp));
  const at = args.findIndex(isPlain);
  const switches = at < 0 ? args : args.slice(0, at);
  if (switches.includes('--help') || switches.includes('-h')) return { run: 'help' };
  if (switches.includes('--version') || switches.includes('-v')) return { run: 'version' };
  const word = args[at] ?? '';
  if (!TYPED_WORD.test(word)) return { run: 'app' };
  const rest = args.slice(at + 1);
  // npm takes a `--` away; here it may stand before the options, as on Windows, where no option may follow a URL.
  if (word === 'export') return { run: 'export', args: rest[0] === '--' ? rest.slice(1) : rest };
  return word === 'help' ? { run: 'help' } : { run: 'unknown', word };
}

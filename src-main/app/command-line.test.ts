import { describe, expect, it } from 'vitest';
import { commandOf } from './command-line.ts';

const installed = (...args: string[]) => commandOf(['/opt/Ballast/ballast', ...args], false);

describe('what a start asks for', () => {
  it.each([
    [[]],
    [['--no-sandbox']],
    [['--some-switch-of-chromium', '--user-data-dir=/x']],
    [['/home/me/orders.csv']],
    [['orders.csv']],
    [['file:///home/me/Order%20book']],
    [['-psn_0_12345']],
    [['C:\\Users\\me\\export']],
    [['--original-process-start-time=1', '--', '/tmp/a.csv']],
  ])('is the app for %j', (args) => {
    expect(installed(...args)).toEqual({ run: 'app' });
  });
  it('is an export with its options as given, after switches of an AppImage and beside a --', () => {
    const args = ['--connection', 'Main', '--out', 'a.csv', '--help'];
    expect(installed('export', ...args)).toEqual({ run: 'export', args });
    expect(installed('--no-sandbox', 'export', '--', ...args)).toEqual({ run: 'export', args });
    expect(installed('export')).toEqual({ run: 'export', args: [] });
  });
  it('is an export from source too, where the app’s folder comes first', () => {
    const from = (...args: string[]) => commandOf(['electron', ...args], true);
    expect(from('.', 'export', '--out', 'a')).toEqual({ run: 'export', args: ['--out', 'a'] });
    expect(from('--no-sandbox', '/home/me/ballast', 'export')).toEqual({ run: 'export', args: [] });
    // A folder that is named like a command is still the app.
    expect(from('export')).toEqual({ run: 'app' });
    expect(from()).toEqual({ run: 'app' });
  });
  it('is help, the version, or a word that is no command', () => {
    for (const arg of ['--help', '-h', 'help']) expect(installed(arg)).toEqual({ run: 'help' });
    for (const arg of ['--version', '-v']) expect(installed(arg)).toEqual({ run: 'version' });
    expect(installed('exprot', '--out', 'a')).toEqual({ run: 'unknown', word: 'exprot' });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesSince, parseChangelog } from './changelog.ts';

const root = join(import.meta.dirname, '..', '..', '..');

it('reads the released entries, whatever their kind, and joins broken lines', () => {
  const text = [
    '# Changelog',
    '- no entry',
    '## [Unreleased]',
    '- later',
    '## [0.2.0] - 2026-12-01',
    '### Added',
    '- One that is',
    '  broken.',
    '### Fixed',
    '- Two.',
    '## [0.1.0] - 2026-11-21',
  ].join('\r\n');
  expect(parseChangelog(text)).toEqual([
    { version: '0.2.0', lines: ['One that is broken.', 'Two.'] },
    { version: '0.1.0', lines: [] },
  ]);
});

it('returns the versions after the last one seen, compared as numbers', () => {
  const all = ['0.10.0', '0.9.1', '0.9.0'].map((version) => ({ version, lines: ['x'] }));
  const after = (seen: string): string[] => changesSince(seen, all).map((one) => one.version);
  expect([after('0.9.0'), after('0.10.0'), after('0.8')]).toEqual([
    ['0.10.0', '0.9.1'],
    [],
    ['0.10.0', '0.9.1', '0.9.0'],
  ]);
});

it('has an entry of this version for everybody who opens it', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const releases = parseChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  expect(releases.find((one) => one.version === version)?.lines.length).toBeGreaterThan(0);
});

/** Checks the text of the workflows, which cannot run here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.github', 'workflows');
const files = readdirSync(FOLDER);

const stepSchema = v.object({
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.unknown())),
});
const workflowSchema = v.object({
  name: v.string(),
  permissions: v.strictObject({ contents: v.literal('read') }),
  jobs: v.record(
    v.string(),
    v.object({
      // A job may narrow the permissions of its workflow, never widen them.
      permissions: v.optional(v.never()),
      'runs-on': v.string(),
      'timeout-minutes': v.number(),
      strategy: v.object({ matrix: v.object({ os: v.array(v.string()) }) }),
      steps: v.array(stepSchema),
    }),
  ),
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const document = parseDocument(text);
  const steps = (): v.InferOutput<typeof stepSchema>[] =>
    Object.values(v.parse(workflowSchema, document.toJS()).jobs).flatMap((job) => job.steps);

  it('is YAML with read permission only', () => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    expect(v.safeParse(workflowSchema, document.toJS()).issues).toBeUndefined();
    expect(text).not.toMatch(/pull_request_target|secrets\.|: write/);
  });

  it('runs on three systems', () => {
    const { jobs } = v.parse(workflowSchema, document.toJS());
    for (const { strategy } of Object.values(jobs))
      expect(strategy.matrix.os.map((os) => os.replace(/-.*/, ''))).toEqual(['ubuntu', 'macos', 'windows']);
  });

  it('pins every action by commit and names its version', () => {
    const used = steps().flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(1);
    for (const one of used) expect(one).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    expect(text.match(/uses: .*/g)).toHaveLength(used.length);
    for (const line of text.match(/uses: .*/g) ?? []) expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
  });

  it('persists no credentials and interpolates no untrusted text into a command', () => {
    const checkouts = steps().filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
    for (const { run } of steps()) expect(run ?? '').not.toContain('${{');
  });

  it('runs existing commands', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const commands = steps().flatMap(({ run }) => (run ?? '').match(/npm (?:run \S+|test)|node \S+/g) ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [program, ...words] = command.split(' ');
      const last = words.at(-1) ?? '';
      if (program === 'npm') expect(Object.keys(scripts)).toContain(last);
      else expect(readFileSync(join(ROOT, last), 'utf8')).not.toBe('');
    }
  });
});

it('the two workflows exist', () => {
  expect(files.sort()).toEqual(['package.yml', 'test.yml']);
});

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { connectionSettings } from '../../tests/session/connection-settings.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { CHECK_MS, FIRST_CHECK_MS, RETRY_MS } from '../schedule.ts';
import { Backups, idsToWithhold } from './backups.ts';
import type { BackupJob, JobResult } from './job.ts';
import { NO_BACKUPS, type StoredBackups } from './stored.ts';
import { dataOf } from '../../tests/shared/data-of.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const START = Date.parse('2026-11-23T10:00:00Z');
const DAY = 86_400_000;
const FULL: Failure = { kind: 'file', message: 'The disk is full.', next: 'Free up space.' };

interface Started {
  readonly job: BackupJob;
  readonly end: (result: Result<JobResult | null>) => void;
}

/** Backups over fake jobs, a manual clock and dialogs that return what is set. */
function fixture(stored: Partial<StoredBackups> = {}, unreadable = false) {
  const chosen = join(folder.path, 'chosen');
  mkdirSync(chosen, { recursive: true });
  const jobs: Started[] = [];
  const time = new ManualTime(START);
  const said: string[] = [];
  const kept = { ...NO_BACKUPS, ...stored };
  const state = {
    unreadable,
    sending: false,
    busy: false,
    unsaved: 0,
    kept,
    path: '/elsewhere/x.tar.gz',
    restarted: 0,
    withheld: 0,
    ids: 0,
  };
  const backups = new Backups({
    profile: join(folder.path, 'profile'),
    file: {
      read: () => (state.unreadable ? Promise.reject(new Error('EACCES')) : Promise.resolve(state.kept)),
      write: (value) => Promise.resolve(void (state.kept = value)),
    },
    version: '1.2.3',
    start: ((job: BackupJob) => {
      let end: Started['end'] = () => undefined;
      const ended = new Promise<Result<JobResult | null>>((resolve) => (end = resolve));
      jobs.push({ job, end });
      return { ended, cancel: () => Promise.resolve(end(done(null))) };
    }) as never,
    savePath: () => Promise.resolve(state.path),
    folderPath: () => Promise.resolve(chosen),
    openPath: () => Promise.resolve(state.path),
    showFile: (path) => said.push(`shown ${path}`),
    isSending: () => state.sending,
    isBusy: () => state.busy,
    unsavedNotes: () => Promise.resolve(state.unsaved),
    withholdSecrets() {
      state.withheld++;
      return Promise.resolve(() => Promise.resolve(void state.withheld--));
    },
    restart: () => void state.restarted++,
    notice: (message, next) => said.push(`${message} ${next}`),
    changed: () => undefined,
    clock: time,
    timers: time,
    newId: () => `id-${++state.ids}`,
  });
  backups.begin();
  return {
    ...{ backups, jobs, said, state, chosen },
    settled: () => time.rest(),
    passes: (ms: number) => time.pass(ms),
    ends: async (result: Result<null>, undeleted: readonly string[] = []): Promise<void> => {
      const { job, end } = jobs.at(-1)!;
      const written = { at: time.now(), path: job.path, bytes: 9, files: 1 };
      end(result.ok ? done({ work: 'write', written, undeleted }) : result);
      await time.rest();
    },
  };
}
type Fixture = ReturnType<typeof fixture>;

async function scheduled(stored: Partial<StoredBackups> = {}): Promise<Fixture> {
  const one = fixture(stored);
  await one.backups.chooseFolder();
  await one.backups.setSchedule({ on: true, everyDays: 2, keep: 3 });
  await one.settled();
  return one;
}

describe('a schedule', () => {
  it('is off until a folder is chosen and it is switched on', async () => {
    const { backups, jobs, passes } = fixture();
    expect(dataOf(await backups.get())).toMatchObject({ schedule: { on: false }, folder: null, dueAt: null });
    expect(await backups.setSchedule({ on: true, everyDays: 1, keep: 1 })).toMatchObject({ ok: false });
    await passes(10 * DAY);
    expect(jobs).toEqual([]);
  });

  it('writes the first file at once, then every N days, into its folder', async () => {
    const { jobs, ends, passes, backups, chosen } = await scheduled();
    expect(jobs[0]?.job).toMatchObject({
      path: join(chosen, 'Ballast 2026-11-23 10.00.00Z.tar.gz'),
      origin: { schedule: 'id-1', version: '1.2.3' },
      keep: 3,
    });
    await ends(done(null));
    expect(dataOf(await backups.get())).toMatchObject({
      dueAt: START + 2 * DAY,
      last: { bytes: 9 },
      failed: null,
    });
    await passes(2 * DAY - CHECK_MS);
    expect(jobs).toHaveLength(1);
    await passes(2 * CHECK_MS);
    expect(jobs).toHaveLength(2);
  });

  it('waits while an order is being sent', async () => {
    const one = fixture({ id: 'mine', folder: '/', schedule: { on: true, everyDays: 1, keep: 1 } });
    one.state.sending = true;
    await one.passes(FIRST_CHECK_MS + 5 * CHECK_MS);
    expect(one.jobs).toEqual([]);
    one.state.sending = false;
    await one.passes(CHECK_MS);
    expect(one.jobs).toHaveLength(1);
  });

  it('runs one at a time, and not again at once when cancelled', async () => {
    const { backups, jobs, passes } = await scheduled();
    expect(await backups.write()).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
    await backups.cancel();
    await passes(RETRY_MS - 2 * CHECK_MS);
    expect(jobs).toHaveLength(1);
    await passes(4 * CHECK_MS);
    expect(jobs).toHaveLength(2);
  });

  it('announces a failure once, shows it until a success, and tries again after an hour', async () => {
    const { backups, jobs, said, passes, ends } = await scheduled();
    await ends(failed(FULL));
    expect(said).toEqual(['The disk is full. Free up space. See Settings › Data.']);
    expect(dataOf(await backups.get()).failed).toEqual({ at: START, failure: FULL });
    await passes(RETRY_MS + CHECK_MS);
    expect(jobs).toHaveLength(2);
    await ends(failed(FULL));
    expect(said).toHaveLength(1);
    await passes(RETRY_MS + CHECK_MS);
    await ends(done(null));
    expect(dataOf(await backups.get()).failed).toBeNull();
  });

  it('merges changes made at the same time', async () => {
    const { backups, state } = await scheduled();
    await Promise.all([backups.setSchedule({ keep: 9 }), backups.setSchedule({ everyDays: 30 })]);
    expect(state.kept.schedule).toEqual({ on: true, everyDays: 30, keep: 9 });
  });

  it('names older files that could not be deleted', async () => {
    const { backups, ends } = await scheduled();
    await ends(done(null), ['Ballast 1.tar.gz']);
    expect(dataOf(await backups.get())).toMatchObject({
      last: { bytes: 9 },
      failed: { failure: { message: expect.stringContaining('Ballast 1.tar.gz') as string } },
    });
  });

  it('starts anew in another folder, keeps its name for a later start, and survives a clock that was ahead', async () => {
    const stored = {
      id: 'mine',
      schedule: { on: true, everyDays: 2, keep: 3 },
      folder: '/gone',
      writtenAt: START,
    };
    const one = fixture(stored);
    expect(dataOf(await one.backups.get())).toMatchObject({ isFolderMissing: true, dueAt: START + 2 * DAY });
    await one.backups.chooseFolder();
    await one.settled();
    expect(one.jobs[0]?.job).toMatchObject({ origin: { schedule: 'mine' } });
    const ahead = fixture({ ...stored, writtenAt: START + 100 * DAY });
    await ahead.passes(FIRST_CHECK_MS);
    expect(ahead.jobs).toHaveLength(1);
  });

  it('has no backup yet in a folder that is chosen while another gets one', async () => {
    const one = fixture({ id: 'mine', folder: '/before', schedule: { on: true, everyDays: 2, keep: 3 } });
    await one.passes(FIRST_CHECK_MS);
    await one.backups.chooseFolder();
    await one.ends(done(null));
    expect(one.state.kept).toMatchObject({ last: { bytes: 9 }, writtenAt: null });
    await one.passes(CHECK_MS);
    expect(one.jobs.map(({ job }) => dirname(job.path))).toEqual(['/before', one.chosen]);
  });

  it('never writes over a file of the same second', async () => {
    const { backups, jobs, ends, chosen } = await scheduled();
    const first = jobs[0]!.job.path;
    writeFileSync(first, '');
    await ends(done(null));
    void backups.writeScheduled();
    await Promise.resolve().then(() => Promise.resolve());
    expect(jobs[1]?.job.path).toBe(join(chosen, 'Ballast 2026-11-23 10.00.01Z.tar.gz'));
    rmSync(first);
  });

  it('is off, and says so, when its file cannot be read', async () => {
    const { backups, said, jobs, passes } = fixture(
      { folder: '/', schedule: { on: true, everyDays: 1, keep: 1 } },
      true,
    );
    await passes(FIRST_CHECK_MS);
    expect(dataOf(await backups.get())).toMatchObject({ schedule: { on: false } });
    expect(said[0]).toContain('The schedule of backups could not be read.');
    expect(jobs).toEqual([]);
  });

  it('begins nothing after it was stopped', async () => {
    const { backups, jobs, passes } = await scheduled();
    await backups.stop();
    await passes(5 * DAY);
    expect(jobs).toHaveLength(1);
  });
});

describe('a manual backup', () => {
  it('goes where the dialog says, belongs to no schedule, and does not move its time', async () => {
    const { backups, jobs, ends, state, settled } = fixture();
    const making = backups.write();
    await settled();
    expect(backups.isWritingManual()).toBe(true);
    expect(jobs[0]?.job).toMatchObject({ path: state.path, origin: { schedule: null } });
    await ends(done(null));
    expect(dataOf(await making)).toMatchObject({ path: state.path });
    expect(state.kept).toMatchObject({ last: { path: state.path }, writtenAt: null });
    backups.show();
  });
});

describe('a restore', () => {
  const staged = { work: 'examine', summary: { file: 'x.tar.gz' }, connections: [] } as unknown as JobResult;
  async function examined(): Promise<Fixture> {
    const one = fixture();
    const examining = one.backups.examine();
    await one.settled();
    one.jobs[0]!.end(done(staged));
    expect(dataOf(await examining)).toEqual({ file: 'x.tar.gz' });
    return one;
  }

  it('restarts the app, once something is staged and nothing is being sent', async () => {
    const none = fixture();
    expect(await none.backups.restore()).toMatchObject({ ok: false });
    const { backups, state } = await examined();
    state.busy = true;
    expect(await backups.restore()).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
    expect(state.restarted).toBe(0);
    state.busy = false;
    expect(await backups.restore()).toEqual(done(null));
    await backups.discard();
    expect(await backups.restore()).toMatchObject({ ok: false });
    expect(state.restarted).toBe(1);
    expect(existsSync(join(folder.path, 'profile', 'restore', 'plan.json'))).toBe(true);
  });

  it('does not restart the app while a note is not saved, and can be repeated', async () => {
    const { backups, state } = await examined();
    state.unsaved = 1;
    expect(await backups.restore()).toMatchObject({
      failure: { message: 'What you typed last in a note is not saved.' },
    });
    expect(state.restarted).toBe(0);
    state.unsaved = 0;
    expect(await backups.restore()).toEqual(done(null));
    expect(state.restarted).toBe(1);
  });

  it('uses secrets on where the plan could not be written, and can be repeated', async () => {
    const { backups, state } = await examined();
    const place = join(folder.path, 'profile', 'restore');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(join(folder.path, 'profile'), { recursive: true });
    writeFileSync(place, 'no folder');
    expect(await backups.restore()).toMatchObject({ ok: false, failure: { kind: 'file' } });
    expect([state.withheld, state.restarted]).toEqual([0, 0]);
    rmSync(place);
    expect(await backups.restore()).toEqual(done(null));
    expect([state.withheld, state.restarted]).toEqual([1, 1]);
  });

  it('is off the table once discarded', async () => {
    const { backups, state } = await examined();
    await backups.discard();
    expect(await backups.restore()).toMatchObject({ ok: false });
    expect(state.restarted).toBe(0);
  });

  it('deletes its files without blocking once discarded, before another is examined', async () => {
    const { backups, jobs, settled } = await examined();
    const staged = join(folder.path, 'profile', 'restore', 'files');
    mkdirSync(staged, { recursive: true });
    const discarding = backups.discard();
    expect(existsSync(staged)).toBe(true);
    const examining = backups.examine();
    expect(jobs).toHaveLength(1);
    await discarding;
    expect(existsSync(staged)).toBe(false);
    await settled();
    expect(jobs).toHaveLength(2);
    jobs[1]!.end(done(null));
    await examining;
  });

  it('withholds a stored secret that another address would get, and no other', () => {
    const settings = connectionSettings();
    const connection = (id: string, change: Parameters<typeof connectionSettings>[0]) => ({
      ...{ id, proven: false, unlocked: true, createdAt: START },
      settings: connectionSettings(change),
    });
    const withheld = idsToWithhold(
      [
        connection('live-same', { apiKey: 'rotated', name: 'Other' }),
        connection('live-moved', { baseUrl: 'https://attacker.example' }),
        connection('live-unknown', {}),
      ],
      (id) => (id === 'live-unknown' ? null : settings),
    );
    expect(withheld).toEqual(['live-moved', 'live-unknown']);
  });
});

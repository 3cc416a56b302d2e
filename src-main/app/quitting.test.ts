import { expect, it, onTestFinished, vi } from 'vitest';
import { Quitting } from './quitting.ts';

const electron = vi.hoisted(() => ({
  tries: new Set<(event: { preventDefault(): void }) => void>(),
  quits: 0,
  restarts: 0,
  started: '',
  asked: [] as string[],
  answer: Promise.withResolvers<{ response: number }>(),
}));
vi.mock('electron', () => ({
  app: {
    on: (_name: string, listener: (event: { preventDefault(): void }) => void) =>
      electron.tries.add(listener),
    quit: () => electron.quits++,
    getPath: () => '/tmp/.mount_Ballast/ballast',
    relaunch(options?: { execPath: string }) {
      electron.restarts++;
      electron.started = options?.execPath ?? 'this program';
    },
  },
  dialog: {
    showMessageBox({ detail }: { detail: string }) {
      electron.asked.push(detail);
      electron.answer = Promise.withResolvers();
      return electron.answer.promise;
    },
  },
}));
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

/** An app with nothing unfinished but notes, whose numbers are those of each attempt, batches and orders that are being sent. */
function setUp(notes: readonly (number | Promise<number>)[], batches: readonly string[] = [], orders = 0) {
  Object.assign(electron, { quits: 0, restarts: 0, asked: [] });
  electron.tries.clear();
  let stops = 0;
  let ends = 0;
  let saves = 0;
  const left = [...notes];
  const sending = new Set(batches);
  const waits: number[] = [];
  const notices: string[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const quitting = new Quitting({
    session: { stop: () => Promise.resolve(void stops++) },
    orders: {
      unfinished: () => ({ unknown: 0, sending: orders, batches: sending.size, closing: false }),
      batches: { stopAll: () => sending.clear() },
      end: () => void ends++,
    },
    inFlight: { whenSettled: (ms: number) => Promise.resolve(void waits.push(ms)) },
    files: () => 0,
    notice: (message: string, next: string) => notices.push(`${message} ${next}`),
    window: () => null,
    unsavedNotes: () => Promise.resolve(left.shift() ?? 0),
    beforeClose: nothing,
    saveState: () => Promise.resolve(void saves++),
    stopKeychain: () => undefined,
    afterClose: nothing,
  } as unknown as ConstructorParameters<typeof Quitting>[0]);
  quitting.watch();
  return {
    quitting,
    stops: () => stops,
    ends: () => ends,
    saves: () => saves,
    notesLeft: () => left.length,
    sending,
    waits,
    notices,
    tryToQuit: async (): Promise<void> => {
      for (const one of electron.tries) one({ preventDefault: () => undefined });
      await settled();
    },
    answer: async (response: number): Promise<void> => {
      electron.answer.resolve({ response });
      await settled();
    },
  };
}

it('says how long it waits for an order on its way', async () => {
  const { waits, notices, tryToQuit } = setUp([0], [], 1);
  await tryToQuit();
  expect(notices).toEqual([
    `Waiting for an order to complete, then Ballast quits. This takes at most ${waits[0]! / 1_000} s.`,
  ]);
});

it('asks before a note that could not be saved is lost, and stays open if the user chooses that', async () => {
  const { stops, ends, tryToQuit, answer } = setUp([1, 2, 0]);
  await tryToQuit();
  expect(electron.asked).toEqual([expect.stringContaining('in a note is not saved')]);
  await answer(0);
  expect([ends(), stops(), electron.quits]).toEqual([0, 0, 0]);
  await tryToQuit();
  expect(electron.asked[1]).toContain('in 2 notes is not saved');
  await answer(0);
  await tryToQuit();
  expect([electron.asked.length, ends(), stops(), electron.quits]).toEqual([2, 1, 1, 1]);
});

it('quits without the note if the user chooses that, or if a signal comes while it asks', async () => {
  const chosen = setUp([1]);
  await chosen.tryToQuit();
  await chosen.answer(1);
  expect([chosen.stops(), electron.quits]).toEqual([1, 1]);
  const ended = setUp([1]);
  await ended.tryToQuit();
  await ended.tryToQuit();
  expect([electron.asked.length, ended.stops(), electron.quits]).toEqual([1, 1, 1]);
});

it('stops a batch as soon as the user agrees, before what is typed is saved', async () => {
  const saved = Promise.withResolvers<number>();
  const { stops, sending, tryToQuit, answer } = setUp([saved.promise], ['batch']);
  await tryToQuit();
  expect(electron.asked).toEqual([expect.stringContaining('A batch is being sent.')]);
  expect(sending.size).toBe(1);
  await answer(1);
  expect([sending.size, stops()]).toEqual([0, 0]);
  saved.resolve(0);
  await settled();
  expect([stops(), electron.quits]).toEqual([1, 1]);
});

it('restarts without a question once a restore is planned', async () => {
  const { quitting, stops } = setUp([1]);
  quitting.restart();
  await settled();
  expect([electron.asked.length, stops(), electron.quits, electron.restarts]).toEqual([0, 1, 1, 1]);
});

it('saves when Windows asks whether the session may end, and stops nothing', async () => {
  const { quitting, stops, saves, notesLeft, sending } = setUp([1], ['batch']);
  quitting.sessionMayEnd();
  await settled();
  expect([notesLeft(), saves()]).toEqual([0, 1]);
  expect([electron.asked.length, sending.size, stops(), electron.quits]).toEqual([0, 1, 0, 0]);
});

it('quits without a question when Windows ends the session, also while one is open', async () => {
  const { quitting, stops, saves, sending } = setUp([1], ['batch']);
  quitting.sessionEnds();
  expect(sending.size).toBe(0);
  await settled();
  expect([electron.asked.length, saves(), stops(), electron.quits]).toEqual([0, 1, 1, 1]);
  const asking = setUp([1], ['batch']);
  await asking.tryToQuit();
  asking.quitting.sessionEnds();
  await settled();
  await asking.answer(0);
  expect([electron.asked.length, asking.stops(), electron.quits]).toEqual([1, 1, 1]);
});

it('starts its own AppImage again, and not that of the terminal it was started from', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('APPIMAGE', '/home/u/Some.AppImage');
  for (const [folder, expected] of [
    ['/tmp/.mount_Terminal', 'this program'],
    ['/tmp/.mount_Ballast', '/home/u/Some.AppImage'],
  ] as const) {
    vi.stubEnv('APPDIR', folder);
    const { quitting } = setUp([0]);
    quitting.restart();
    await expect.poll(() => electron.restarts).toBe(1);
    expect(electron.started).toBe(expected);
  }
});

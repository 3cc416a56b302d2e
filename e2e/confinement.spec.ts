/** Tries in the running window what its page must not be able to do; numbers are items of Electron’s checklist. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, SHARED, test } from './fixture.ts';

/** A UDP and a TCP server on this computer, which count what reaches them. */
async function listeners(): Promise<
  AsyncDisposable & { ports: { udp: number; tcp: number }; received(): { udp: number; tcp: number } }
> {
  const received = { udp: 0, tcp: 0 };
  const udp = createSocket('udp4', () => received.udp++).bind(0, '127.0.0.1');
  const tcp = createServer((socket) => {
    received.tcp++;
    socket.destroy();
  }).listen(0);
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
  return {
    ports: { udp: udp.address().port, tcp: (tcp.address() as AddressInfo).port },
    received: () => received,
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

test('the page reaches nothing but its bridge', SHARED, async ({ ballast, page, practice }) => {
  await test.step('2, 3 and 20. the page cannot reach Node or Electron', async () => {
    const found = await page.evaluate(() =>
      ['require', 'process', 'module', 'global', 'Buffer', '__dirname', 'ipcRenderer', 'electron'].filter(
        (name) => name in globalThis,
      ),
    );
    expect.soft(found).toEqual([]);
  });

  await test.step('20. the bridge offers the listed calls and nothing generic', async () => {
    const { CALL_NAMES } = await import('../src-shared/ipc/names.ts');
    const offered = await page.evaluate(() =>
      Object.keys((globalThis as never as { ballast: object }).ballast).sort(),
    );
    expect.soft(offered).toEqual([...CALL_NAMES, 'on'].sort());
  });

  await test.step('1, 6 and 7. the page cannot send anything anywhere', async () => {
    const outcome = await page.evaluate(async (url) => {
      const attempts: Record<string, () => Promise<unknown>> = {
        fetch: () => fetch(url),
        ownAddress: () => fetch('/index.html'),
        beacon: () =>
          Promise.resolve(navigator.sendBeacon(url, 'x') ? 'sent' : Promise.reject(new Error('refused'))),
        socket: () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(url.replace('http', 'ws'));
            socket.onopen = resolve;
            socket.onerror = () => reject(new Error('refused'));
          }),
        request: () =>
          new Promise((resolve, reject) => {
            const request = new XMLHttpRequest();
            request.onload = resolve;
            request.onerror = () => reject(new Error('refused'));
            request.open('GET', url);
            request.send();
          }),
        image: () =>
          new Promise((resolve, reject) => {
            const image = new Image();
            image.onload = resolve;
            image.onerror = () => reject(new Error('refused'));
            image.src = `${url}/pixel.png`;
          }),
      };
      const results: Record<string, string> = {};
      for (const [name, attempt] of Object.entries(attempts))
        results[name] = await attempt().then(
          () => 'sent',
          () => 'refused',
        );
      return results;
    }, practice.url);
    // A beacon is queued before the policy is checked; what counts is that nothing arrives (below).
    const { beacon: _, ...rest } = outcome;
    expect.soft(Object.values(rest)).toEqual(Object.values(rest).map(() => 'refused'));
  });

  await test.step('7. WebRTC, which the policy does not cover, reaches no server', async () => {
    await using servers = await listeners();
    const gathered = await page.evaluate(async ({ udp, tcp }) => {
      const login = { username: 'x', credential: 'x' };
      const connection = new RTCPeerConnection({
        iceServers: [
          { urls: `stun:127.0.0.1:${udp}` },
          { urls: `turn:127.0.0.1:${udp}?transport=udp`, ...login },
          { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, ...login },
          { urls: `turn:localhost:${tcp}?transport=tcp`, ...login },
        ],
      });
      const complete = new Promise((resolve) => {
        connection.onicegatheringstatechange = () => {
          if (connection.iceGatheringState === 'complete') resolve('complete');
        };
      });
      connection.createDataChannel('x');
      await connection.setLocalDescription(await connection.createOffer());
      return complete;
    }, servers.ports);
    expect.soft(gathered).toBe('complete');
    expect.soft(servers.received()).toEqual({ udp: 0, tcp: 0 });
  });

  await test.step('5, 13 and 14. the page cannot navigate, open windows or ask for permissions', async () => {
    const before = page.url();
    await page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    expect.soft(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true);
    const permission = await page.evaluate(() =>
      Notification.requestPermission().then(
        (answer) => answer,
        () => 'denied',
      ),
    );
    expect.soft(permission).toBe('denied');
    await expect.soft(page.getByRole('navigation').first()).toBeVisible();
    expect.soft(page.url()).toBe(before);
    expect.soft(ballast.app.windows()).toHaveLength(1);
  });

  await test.step('an input that does not match its schema is rejected with its field named', async () => {
    const answer = await page.evaluate(() =>
      (globalThis as never as { ballast: Record<string, (input: unknown) => Promise<unknown>> }).ballast[
        'orders.review'
      ]!({ connectionId: 'practice', kind: 'order', request: { symbolId: 'x' }, reference: null }),
    );
    expect.soft(answer).toMatchObject({ ok: false, failure: { kind: 'blocked', field: 'request.symbolId' } });
  });

  // Last, since it removes the page's body.
  await test.step('7. no code from text runs in the page', async () => {
    const refused = await page.evaluate(async () => {
      // In a task of its own: the protocol suspends the policy while it evaluates.
      await new Promise((resolve) => setTimeout(resolve));
      const tries: (() => unknown)[] = [
        () => new Function('return 1')(),
        () => (0, eval)('1'),
        () => {
          document.body.innerHTML = '<img src=x onerror="globalThis.ran = true">';
        },
        () => {
          const script = document.createElement('script');
          script.text = 'globalThis.ran = true';
          document.head.append(script);
        },
      ];
      return tries.map((one) => {
        try {
          one();
          return 'ran';
        } catch (error) {
          return error instanceof Error ? error.name : 'refused';
        }
      });
    });
    expect.soft(refused).not.toContain('ran');
    expect.soft(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  });
});

// `node scripts/icon.ts` draws resources/icon.png from resources/icon.svg with Debian's Chromium; run it
// after changing the drawing. Windows and docks take no SVG.
import { chromium } from 'playwright';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SIZE = 512;
const folder = join(dirname(import.meta.dirname), 'resources');
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false });
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(`<style>body { margin: 0 }</style>${svg}`);
  await page.screenshot({ path: join(folder, 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
}

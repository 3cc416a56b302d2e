// Draws the icons of resources/ from icon.svg with Debian's Chromium: `node scripts/icon.ts`, after changing the
// drawing. Docks and installers take no SVG, and electron-builder downloads its converters.
import { chromium, type Page } from 'playwright';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = join(dirname(import.meta.dirname), 'resources');
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');

async function draw(page: Page, size: number, mark = ''): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  const style =
    'body { margin: 0 } svg { position: absolute; width: 100vw } svg + svg { right: 0; bottom: 0; width: 60vw }';
  await page.setContent(`<style>${style}</style>${svg}${mark}`);
  return page.screenshot({ omitBackground: true });
}

/** Marks of the tray's states (src-shared/domain/alerts/worst.ts), which differ in shape, not in colour alone. */
const mark = (shape: string): string => `<svg viewBox="0 0 12 12">${shape}</svg>`;
const MARKS = {
  ok: '',
  unmonitored: mark(
    '<circle cx="6" cy="6" r="5" fill="#6b7280" stroke="#fff"/><path d="M3.5 6h5" stroke="#fff" stroke-width="2"/>',
  ),
  caution: mark('<path d="M6 .8 11.5 11H.5Z" fill="#f5b83d" stroke="#3b2a00" stroke-linejoin="round"/>'),
  critical: mark(
    '<circle cx="6" cy="6" r="5.4" fill="#e5484d" stroke="#fff"/><path d="M6 2.8v4M6 8v1.6" stroke="#fff" stroke-width="1.7"/>',
  ),
};

interface Picture {
  readonly size: number;
  readonly png: Buffer;
}

/** Apple's format: a list of PNGs, each labelled by its use. */
function icns(pictures: readonly Picture[]): Buffer {
  const names: Readonly<Record<number, string>> = { 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };
  const parts = pictures.flatMap(({ size, png }) => {
    const name = names[size];
    if (name === undefined) return [];
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32BE(png.length + 8, 4);
    return [head, png];
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 4);
  return Buffer.concat([head, ...parts]);
}

/** Windows' format: a directory of PNGs; size 256 is written as 0. */
function ico(pictures: readonly Picture[]): Buffer {
  const small = pictures.filter(({ size }) => size <= 256);
  const head = Buffer.alloc(6 + 16 * small.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(small.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of small.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...small.map(({ png }) => png)]);
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false });
try {
  const page = await browser.newPage();
  const pictures: Picture[] = [];
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024])
    pictures.push({ size, png: await draw(page, size) });
  mkdirSync(join(folder, 'icons'), { recursive: true });
  for (const { size, png } of pictures)
    if (size <= 512) writeFileSync(join(folder, 'icons', `${size}x${size}.png`), png);
  mkdirSync(join(folder, 'tray'), { recursive: true });
  for (const [level, shape] of Object.entries(MARKS))
    for (const [suffix, size] of [
      ['', 20],
      ['@2x', 40],
    ] as const)
      writeFileSync(join(folder, 'tray', `${level}${suffix}.png`), await draw(page, size, shape));
  writeFileSync(join(folder, 'icon.icns'), icns(pictures));
  writeFileSync(join(folder, 'icon.ico'), ico(pictures));
} finally {
  await browser.close();
}

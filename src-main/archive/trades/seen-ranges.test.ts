import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openHere } from '../../../tests/archive/trades.ts';
import { SeenRanges } from './seen-ranges.ts';

it('counts each row once, in any order, also after reopening', () => {
  const page = fc.record({
    known: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }),
    added: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 12 }), (pages) => {
      const { db, close } = openHere();
      const seen = new SeenRanges(db);
      const met = new Set<number>();
      let last = 40;
      for (const { known, added } of pages) {
        for (const seq of known) {
          seen.add(seq);
          met.add(seq);
        }
        if (added > 0) seen.addNew(last + 1, last + added);
        for (let seq = last + 1; seq <= last + added; seq++) met.add(seq);
        last += added;
      }
      expect(seen.count()).toBe(met.size);
      expect(new SeenRanges(db).count()).toBe(met.size);
      const overlaps = db.prepare(`SELECT count(*) AS n FROM seen_stretch AS a JOIN seen_stretch AS b
        ON a.first_seq < b.first_seq AND a.last_seq + 1 >= b.first_seq`);
      // Ranges neither overlap nor touch, so they stay few.
      expect(overlaps.get()?.['n']).toBe(0);
      seen.clear();
      expect(seen.count()).toBe(0);
      close();
    }),
  );
});

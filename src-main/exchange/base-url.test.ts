import { expect, it } from 'vitest';
import { exactUrl } from './base-url.ts';

it.each(['/a/../b', "/a?x='", '/a b', '/ä', '/a?x=#y', '/%zz/./c'])(
  'a target that a URL parser would rewrite after signing is refused: %s',
  (target) => {
    expect(() => exactUrl('https://api.exchange.example', target)).toThrow('would be rewritten');
  },
);

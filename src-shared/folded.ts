/** Returns a text as searches compare it, in any language: without its case and width, and a Turkish i as any other. */
export const folded = (text: string): string => text.normalize('NFKC').toUpperCase().replaceAll('İ', 'I');

/** Parses JSON; null if the text is damaged, which the schema of its reader then rejects. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

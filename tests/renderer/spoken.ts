/** Returns what a screen reader says when a live region changes: its text without the parts that change silently. */
export function spokenOf(region: Element): string {
  const copy = region.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll('[aria-live="off"]')) part.remove();
  return copy.textContent.trim().replaceAll(/\s+/g, ' ');
}

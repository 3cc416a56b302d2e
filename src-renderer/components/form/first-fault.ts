import { tick } from 'svelte';

/** Attached to a form: when submitting it marks fields, moves to the first of them, which may be out of view. */
export function toFirstFault(form: HTMLFormElement): () => void {
  const submitted = (): void =>
    void tick().then(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  form.addEventListener('submit', submitted);
  return () => form.removeEventListener('submit', submitted);
}

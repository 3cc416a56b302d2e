/** The error of FailingPart; null while it works. */
export const failing = $state<{ message: string | null }>({ message: null });

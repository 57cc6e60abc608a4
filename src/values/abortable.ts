/** Waits for an answer that may take long; the signal is aborted once it waits no more. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

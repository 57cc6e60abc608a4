/** A caller of slow work; the signal is aborted once the caller stops waiting. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

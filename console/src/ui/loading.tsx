/** Shown after a moment only, so that what comes at once does not flicker. */
export function Loading({ isWhole }: { isWhole?: boolean }) {
  const Place = isWhole === true ? 'main' : 'div';
  return (
    <Place class={isWhole === true ? 'whole loading' : 'loading'} aria-busy="true">
      <span class="spinner" aria-hidden="true" />
      <span class="visually-hidden">Loading</span>
    </Place>
  );
}

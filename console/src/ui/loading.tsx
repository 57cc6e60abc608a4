const bars = Array.from({ length: 8 }, (_, index) => <i key={index} />);

/** In the place of what is on its way. Shown after a moment only, so that what comes at once does not flicker. */
export function Loading({ isWhole }: { isWhole?: boolean }) {
  const Place = isWhole === true ? 'main' : 'div';
  return (
    <Place class={isWhole === true ? 'whole skeleton' : 'skeleton'} aria-busy="true">
      <span class="visually-hidden">Loading</span>
      {bars}
    </Place>
  );
}

/** The whole page while nobody knows who is signed in. */
export function Shell() {
  return (
    <div class="shell">
      <div class="side">
        <span class="brand">
          <span class="brand-mark" />
        </span>
      </div>
      <main class="main">
        <Loading />
      </main>
    </div>
  );
}

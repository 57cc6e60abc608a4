import { Button } from './button.tsx';

interface PagerProps {
  page: number;
  last: number;
  go: (page: number) => void;
}

/** Nothing where one page has all. */
export function Pager({ page, last, go }: PagerProps) {
  if (last <= 1) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <Button icon="left" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </Button>
      <span class="soft number">
        Page {page} of {last}
      </span>
      <Button icon="right" disabled={page >= last} onClick={() => go(page + 1)}>
        Next
      </Button>
    </nav>
  );
}

import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="There is no such page" about="The link may be old, or cut off." />
      <ButtonLink href="/console" kind="primary">
        Go to the first page
      </ButtonLink>
    </>
  );
}

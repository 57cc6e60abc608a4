import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="Page not found" about="The link may be old or incomplete." />
      <ButtonLink href="/console" kind="primary">
        Go to start
      </ButtonLink>
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';

import { isShown, screens } from '../layout/screens.ts';
import { useSession } from '../session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';

/** A screen is shown to those whose roles allow it, also where its address is typed. */
export function IfAllowed({ children }: { children: ComponentChildren }) {
  const { path, query } = useLocation();
  const { can } = useSession();
  const screen = path === '/console' ? undefined : screens.find((one) => isShown(one, path));
  // The bin and privacy requests take more than reading.
  const isMore = path.endsWith('/privacy') || query['state'] === 'deleted';
  const right = isMore ? 'contacts:write' : screen?.right;
  if (right === undefined || can(right)) return children;
  return (
    <>
      <PageHead title="You don’t have access to this page" about="Ask the Owner or an Admin for it." />
      <ButtonLink href="/console" kind="primary">
        Go to start
      </ButtonLink>
    </>
  );
}

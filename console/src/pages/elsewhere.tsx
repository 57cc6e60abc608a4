import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useLayoutEffect } from 'preact/hooks';

import { isShown, screens } from '../layout/screens.ts';
import { useSession } from '../session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';

/** `/console` itself: goes to the first screen that the rights allow. */
export function FirstScreen() {
  const { route } = useLocation();
  const { can } = useSession();
  const first = screens.find(({ right }) => right === undefined || can(right));
  useLayoutEffect(() => route(first?.path ?? '/console/account', true), [route, first]);
  return null;
}

/** A screen is shown to those whose roles allow it, also where its address is typed. */
export function IfAllowed({ children }: { children: ComponentChildren }) {
  const { path, query } = useLocation();
  const { can } = useSession();
  const screen = path === '/console' ? undefined : screens.find((one) => isShown(one, path));
  // The bin and privacy requests take more than reading.
  const isMore = path.endsWith('/privacy') || query['state'] === 'deleted';
  const right = isMore ? 'contacts:write' : screen?.right;
  if (right === undefined || can(right)) return children;
  return <ToStart title="You don’t have access to this page" about="Ask the Owner or an Admin for it." />;
}

export function NotFound() {
  return <ToStart title="Page not found" about="The link may be old or incomplete." />;
}

function ToStart(head: { title: string; about: string }) {
  return (
    <>
      <PageHead {...head} />
      <ButtonLink href="/console" kind="primary">
        Go to start
      </ButtonLink>
    </>
  );
}

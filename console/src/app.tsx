import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';

import { focusHeading } from './layout/focus.ts';
import { Layout } from './layout/layout.tsx';
import { IfAllowed, NotFound } from './pages/elsewhere.tsx';
import { screen } from './screen.tsx';
import { askSession, SessionProvider } from './session.tsx';
import { Away } from './ui/away.tsx';
import { Toasts } from './ui/toast.tsx';
import { askChatbots } from './use-chatbots.ts';

/** Screens by which somebody gets in. */
const screensOutside = Object.entries({
  '/sign-in': screen(() => import('./pages/entry/screens.ts').then((page) => page.SignIn)),
  '/join': screen(() => import('./pages/entry/screens.ts').then((page) => page.Join)),
  '/setup': screen(() => import('./pages/entry/screens.ts').then((page) => page.Setup)),
});

const Privacy = screen(() => import('./pages/privacy/privacy.tsx').then((page) => page.Privacy));

/** Screens that need a session, the likely ones first. */
const screensInside = Object.entries({
  '/console': screen(() => import('./pages/home/home.tsx').then((page) => page.Home)),
  '/console/contacts': screen(() => import('./pages/contacts/contacts.tsx').then((page) => page.Contacts)),
  '/console/contacts/privacy': Privacy,
  '/console/contacts/:chatbotId/:contactId': screen(() =>
    import('./pages/contact/contact.tsx').then((page) => page.Contact),
  ),
  '/console/contacts/:chatbotId/:contactId/privacy': Privacy,
  '/console/duplicates': screen(() => import('./pages/duplicates/duplicates.tsx').then((page) => page.Duplicates)),
  '/console/activity': screen(() => import('./pages/activity/activity.tsx').then((page) => page.Activity)),
  '/console/members': screen(() => import('./pages/members/members.tsx').then((page) => page.Members)),
  '/console/keys': screen(() => import('./pages/keys/keys.tsx').then((page) => page.Keys)),
  '/console/webhooks': screen(() => import('./pages/webhooks/webhooks.tsx').then((page) => page.Webhooks)),
  '/console/webhooks/:webhookId': screen(() => import('./pages/webhooks/webhook.tsx').then((page) => page.Webhook)),
  '/console/chatbots': screen(() => import('./pages/chatbots/chatbots.tsx').then((page) => page.Chatbots)),
  '/console/project': screen(() => import('./pages/project/project.tsx').then((page) => page.Project)),
  '/console/account': screen(() => import('./pages/account/account.tsx').then((page) => page.Account)),
  '/console/import': screen(() => import('./pages/import/import.tsx').then((page) => page.Import)),
});

/** Links to anything else, such as /docs, are left to the browser. */
const ownPaths = /^\/(?:console|sign-in|join|setup)(?:[/?#]|$)/;

export function App() {
  return (
    <LocationProvider scope={ownPaths}>
      <ErrorBoundary>
        <Pages />
        <Away />
      </ErrorBoundary>
    </LocationProvider>
  );
}

function Pages() {
  const { path } = useLocation();
  return screensOutside.some(([outside]) => outside === path) ? <Outside /> : <Inside />;
}

const routes = (screens: typeof screensInside) =>
  screens.map(([path, component]) => <Route key={path} path={path} component={component} />);

function Outside() {
  return (
    <>
      <Router>{routes(screensOutside)}</Router>
      <Toasts />
    </>
  );
}

/** Asks at once for all that the address wants: its script, the session and the chatbots. */
export function begin(): void {
  if (!location.pathname.startsWith('/console')) return;
  askSession();
  askChatbots();
  void screensInside.find(([path]) => exec(location.pathname, path))?.[1].preload();
}

const soonMs = 2_000;

function Inside() {
  // The other screens come a little later, so that they work while the server is away.
  useEffect(() => {
    const timer = setTimeout(() => screensInside.forEach(([, component]) => void component.preload()), soonMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <SessionProvider>
      <Layout>
        <IfAllowed>
          <Router onRouteChange={focusHeading}>
            {routes(screensInside)}
            <Route default component={NotFound} />
          </Router>
        </IfAllowed>
      </Layout>
    </SessionProvider>
  );
}

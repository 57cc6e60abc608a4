import { PageHead } from '../../ui/page-head.tsx';

export function Account() {
  return <PageHead title="Account" />;
}

import { PageHead } from '../../ui/page-head.tsx';

export function Import() {
  return <PageHead title="Import" />;
}

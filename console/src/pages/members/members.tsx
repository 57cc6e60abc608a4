import { PageHead } from '../../ui/page-head.tsx';

export function Members() {
  return <PageHead title="Members" />;
}

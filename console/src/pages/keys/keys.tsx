import { PageHead } from '../../ui/page-head.tsx';

export function Keys() {
  return <PageHead title="Keys" />;
}

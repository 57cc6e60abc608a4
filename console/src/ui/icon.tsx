import {
  Activity,
  Bot,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  CircleHelp,
  CircleUser,
  CodeXml,
  Copy,
  CopyX,
  Download,
  Ellipsis,
  Eye,
  FileUp,
  House,
  KeyRound,
  ListFilter,
  LogOut,
  Mail,
  Pencil,
  Phone,
  Plus,
  Search,
  Settings2,
  ShieldCheck,
  SquareArrowOutUpRight,
  Trash2,
  TriangleAlert,
  UserRound,
  UsersRound,
  Webhook,
  X,
} from 'lucide';
import { createElement } from 'preact';

const icons = {
  account: CircleUser,
  activity: Activity,
  chatbots: Bot,
  check: Check,
  close: X,
  code: CodeXml,
  contacts: UserRound,
  copy: Copy,
  down: ChevronDown,
  download: Download,
  duplicates: CopyX,
  eye: Eye,
  filter: ListFilter,
  help: CircleHelp,
  home: House,
  import: FileUp,
  keys: KeyRound,
  leave: LogOut,
  left: ChevronLeft,
  mail: Mail,
  members: UsersRound,
  more: Ellipsis,
  open: SquareArrowOutUpRight,
  pencil: Pencil,
  phone: Phone,
  plus: Plus,
  project: Settings2,
  right: ChevronRight,
  search: Search,
  security: ShieldCheck,
  trash: Trash2,
  warning: TriangleAlert,
  webhooks: Webhook,
};

export type IconName = keyof typeof icons;

/** A drawing beside a text; it tells nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {icons[name].map(([shape, attributes], key) => createElement(shape, { ...attributes, key }))}
    </svg>
  );
}

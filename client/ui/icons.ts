/**
 * The icons of the console. Blueprint would bring all 700, so its loaders are emptied by the build and exactly these are
 * registered; a name that is missing here is an empty box. To use a new icon, add its path below (a test compares).
 */
import { type IconName, type IconPaths, Icons, IconSize } from '@blueprintjs/icons'
import {
  Add, ArrowDown, ArrowLeft, ArrowRight, ArrowUp, BanCircle, BankAccount, Bookmark, Calendar, CaretDown, CaretRight, Changes, Chart, Chat, ChevronDown,
  ChevronLeft, ChevronRight, ChevronUp, Clipboard, Cog, Comment, Comparison, Confirm, CreditCard, Cross, Dashboard, Delete, DiagramTree, Disable,
  Document, Dot, Download, Duplicate, Edit, Endorsed, Envelope, Error, Exchange, Export, EyeOff, EyeOpen, Filter, FilterRemove, Flag, FlowBranch,
  Fullscreen, Headset, Help, History, Home, IdNumber, Import, Inbox, InfoSign, Issue, Key, Layout, Link, List, Lock, LogOut, Manual, Menu, MenuClosed,
  MenuOpen, Minimize, Minus, MobilePhone, Moon, More, NewPerson, Notifications, Offline, PanelStats, Paperclip, Pause, People, Person, Phone, Pin, Play,
  Plus, PredictiveAnalysis, Projects, Redo, Refresh, Remove, Reset, RotatePage, Route, Saved, Search, SendTo, Settings, Shield, SmallCross, SmallMinus,
  SmallPlus, SmallTick, SortAsc, SortDesc, Star, StarEmpty, Stop, Stopwatch, Style, SwapHorizontal, Tag, TakeAction, Team, ThList, Tick, TickCircle,
  Time, TimelineEvents, TimelineLineChart, Translate, TrendingDown, TrendingUp, Undo, Unlock, Unpin, Upload, User, VolumeOff, VolumeUp, WarningSign,
  ZoomIn, ZoomOut, ZoomToFit,
} from '@blueprintjs/icons/lib/esm/generated/16px/paths/index.js'

/** Path data by name in PascalCase; `calendar` is `Calendar`, `eye-open` is `EyeOpen`. */
const PATHS: Record<string, IconPaths> = {
  Add, ArrowDown, ArrowLeft, ArrowRight, ArrowUp, BanCircle, BankAccount, Bookmark, Calendar, CaretDown, CaretRight, Changes, Chart, Chat, ChevronDown,
  ChevronLeft, ChevronRight, ChevronUp, Clipboard, Cog, Comment, Comparison, Confirm, CreditCard, Cross, Dashboard, Delete, DiagramTree, Disable,
  Document, Dot, Download, Duplicate, Edit, Endorsed, Envelope, Error, Exchange, Export, EyeOff, EyeOpen, Filter, FilterRemove, Flag, FlowBranch,
  Fullscreen, Headset, Help, History, Home, IdNumber, Import, Inbox, InfoSign, Issue, Key, Layout, Link, List, Lock, LogOut, Manual, Menu, MenuClosed,
  MenuOpen, Minimize, Minus, MobilePhone, Moon, More, NewPerson, Notifications, Offline, PanelStats, Paperclip, Pause, People, Person, Phone, Pin, Play,
  Plus, PredictiveAnalysis, Projects, Redo, Refresh, Remove, Reset, RotatePage, Route, Saved, Search, SendTo, Settings, Shield, SmallCross, SmallMinus,
  SmallPlus, SmallTick, SortAsc, SortDesc, Star, StarEmpty, Stop, Stopwatch, Style, SwapHorizontal, Tag, TakeAction, Team, ThList, Tick, TickCircle,
  Time, TimelineEvents, TimelineLineChart, Translate, TrendingDown, TrendingUp, Undo, Unlock, Unpin, Upload, User, VolumeOff, VolumeUp, WarningSign,
  ZoomIn, ZoomOut, ZoomToFit,
}

const BY_NAME = new Map(Object.entries(PATHS).map(([name, paths]) => [kebab(name), paths]))

/** Call once before the first render; afterwards no icon loads anything. */
export async function registerIcons(): Promise<void> {
  const loader = async (name: IconName): Promise<IconPaths> => BY_NAME.get(name) ?? []
  Icons.setLoaderOptions({ loader })
  const names = [...BY_NAME.keys()] as IconName[]
  // Blueprint keeps two grids; the 16 px drawing serves both (large icons are set in our own components).
  await Promise.all([Icons.load(names, IconSize.STANDARD), Icons.load(names, IconSize.LARGE)])
}

export function isRegisteredIcon(name: string): name is IconName {
  return BY_NAME.has(name)
}

/** An icon that comes as data (menu of the server): itself when registered, else a neutral one. */
export function iconOr(name: string | null | undefined, otherwise: IconName): IconName {
  return name && isRegisteredIcon(name) ? name : otherwise
}

function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
}

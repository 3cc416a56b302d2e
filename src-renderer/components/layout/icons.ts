/** The icons of the window, by their names at Lucide. Each is imported by its file: the package as a whole lists 1,700. */
import arrowRightFromLine from 'lucide/dist/esm/icons/arrow-right-from-line.mjs';
import arrowRightToLine from 'lucide/dist/esm/icons/arrow-right-to-line.mjs';
import ban from 'lucide/dist/esm/icons/ban.mjs';
import bellRing from 'lucide/dist/esm/icons/bell-ring.mjs';
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import calendarDays from 'lucide/dist/esm/icons/calendar-days.mjs';
import chartColumn from 'lucide/dist/esm/icons/chart-column.mjs';
import chartLine from 'lucide/dist/esm/icons/chart-line.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import chevronDown from 'lucide/dist/esm/icons/chevron-down.mjs';
import chevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs';
import chevronRight from 'lucide/dist/esm/icons/chevron-right.mjs';
import chevronUp from 'lucide/dist/esm/icons/chevron-up.mjs';
import chevronsUpDown from 'lucide/dist/esm/icons/chevrons-up-down.mjs';
import circle from 'lucide/dist/esm/icons/circle.mjs';
import circleAlert from 'lucide/dist/esm/icons/circle-alert.mjs';
import circleCheck from 'lucide/dist/esm/icons/circle-check.mjs';
import circlePause from 'lucide/dist/esm/icons/circle-pause.mjs';
import circleQuestionMark from 'lucide/dist/esm/icons/circle-question-mark.mjs';
import clock from 'lucide/dist/esm/icons/clock.mjs';
import columns2 from 'lucide/dist/esm/icons/columns-2.mjs';
import columns3 from 'lucide/dist/esm/icons/columns-3.mjs';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import database from 'lucide/dist/esm/icons/database.mjs';
import download from 'lucide/dist/esm/icons/download.mjs';
import ellipsisVertical from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import externalLink from 'lucide/dist/esm/icons/external-link.mjs';
import fileInput from 'lucide/dist/esm/icons/file-input.mjs';
import fileSpreadsheet from 'lucide/dist/esm/icons/file-spreadsheet.mjs';
import flaskConical from 'lucide/dist/esm/icons/flask-conical.mjs';
import folderOpen from 'lucide/dist/esm/icons/folder-open.mjs';
import info from 'lucide/dist/esm/icons/info.mjs';
import keyRound from 'lucide/dist/esm/icons/key-round.mjs';
import keyboard from 'lucide/dist/esm/icons/keyboard.mjs';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import layoutDashboard from 'lucide/dist/esm/icons/layout-dashboard.mjs';
import list from 'lucide/dist/esm/icons/list.mjs';
import listFilter from 'lucide/dist/esm/icons/list-filter.mjs';
import listOrdered from 'lucide/dist/esm/icons/list-ordered.mjs';
import listX from 'lucide/dist/esm/icons/list-x.mjs';
import loaderCircle from 'lucide/dist/esm/icons/loader-circle.mjs';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import lockOpen from 'lucide/dist/esm/icons/lock-open.mjs';
import minus from 'lucide/dist/esm/icons/minus.mjs';
import octagonAlert from 'lucide/dist/esm/icons/octagon-alert.mjs';
import palette from 'lucide/dist/esm/icons/palette.mjs';
import panelRightClose from 'lucide/dist/esm/icons/panel-right-close.mjs';
import panelRightOpen from 'lucide/dist/esm/icons/panel-right-open.mjs';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import refreshCw from 'lucide/dist/esm/icons/refresh-cw.mjs';
import rotateCcw from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import rotateCcwClock from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import rows3 from 'lucide/dist/esm/icons/rows-3.mjs';
import scale from 'lucide/dist/esm/icons/scale.mjs';
import scrollText from 'lucide/dist/esm/icons/scroll-text.mjs';
import search from 'lucide/dist/esm/icons/search.mjs';
import searchX from 'lucide/dist/esm/icons/search-x.mjs';
import send from 'lucide/dist/esm/icons/send.mjs';
import settings from 'lucide/dist/esm/icons/settings.mjs';
import shield from 'lucide/dist/esm/icons/shield.mjs';
import shieldAlert from 'lucide/dist/esm/icons/shield-alert.mjs';
import shieldCheck from 'lucide/dist/esm/icons/shield-check.mjs';
import shieldOff from 'lucide/dist/esm/icons/shield-off.mjs';
import shieldQuestionMark from 'lucide/dist/esm/icons/shield-question-mark.mjs';
import slidersHorizontal from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
import square from 'lucide/dist/esm/icons/square.mjs';
import stickyNote from 'lucide/dist/esm/icons/sticky-note.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import triangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs';
import undo2 from 'lucide/dist/esm/icons/undo-2.mjs';
import unplug from 'lucide/dist/esm/icons/unplug.mjs';
import wallet from 'lucide/dist/esm/icons/wallet.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';

export const ICONS = {
  'arrow-right-from-line': arrowRightFromLine,
  'arrow-right-to-line': arrowRightToLine,
  ban,
  'bell-ring': bellRing,
  bookmark,
  'calendar-days': calendarDays,
  'chart-column': chartColumn,
  'chart-line': chartLine,
  check,
  'chevron-down': chevronDown,
  'chevron-left': chevronLeft,
  'chevron-right': chevronRight,
  'chevron-up': chevronUp,
  'chevrons-up-down': chevronsUpDown,
  circle,
  'circle-alert': circleAlert,
  'circle-check': circleCheck,
  'circle-pause': circlePause,
  'circle-question-mark': circleQuestionMark,
  clock,
  'columns-2': columns2,
  'columns-3': columns3,
  copy,
  database,
  download,
  'ellipsis-vertical': ellipsisVertical,
  'external-link': externalLink,
  'file-input': fileInput,
  'file-spreadsheet': fileSpreadsheet,
  'flask-conical': flaskConical,
  'folder-open': folderOpen,
  info,
  'key-round': keyRound,
  keyboard,
  layers,
  'layout-dashboard': layoutDashboard,
  list,
  'list-filter': listFilter,
  'list-ordered': listOrdered,
  'list-x': listX,
  'loader-circle': loaderCircle,
  lock,
  'lock-open': lockOpen,
  minus,
  'octagon-alert': octagonAlert,
  palette,
  'panel-right-close': panelRightClose,
  'panel-right-open': panelRightOpen,
  pause,
  pencil,
  play,
  plus,
  'refresh-cw': refreshCw,
  'rotate-ccw': rotateCcw,
  'rotate-ccw-clock': rotateCcwClock,
  'rows-3': rows3,
  scale,
  'scroll-text': scrollText,
  search,
  'search-x': searchX,
  send,
  settings,
  shield,
  'shield-alert': shieldAlert,
  'shield-check': shieldCheck,
  'shield-off': shieldOff,
  'shield-question-mark': shieldQuestionMark,
  'sliders-horizontal': slidersHorizontal,
  square,
  'sticky-note': stickyNote,
  trash,
  'triangle-alert': triangleAlert,
  'undo-2': undo2,
  unplug,
  wallet,
  x,
};
export type IconName = keyof typeof ICONS;

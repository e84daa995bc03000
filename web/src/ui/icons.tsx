import { chakra } from '@chakra-ui/react'
import type { ReactElement } from 'react'

const Svg = chakra('svg', { base: { width: '1em', height: '1em', flexShrink: 0, display: 'block' } })

type IconProps = {
  /** Fills the shape, for something that is switched on. */
  filled?: boolean
}

/**
 * Creates a decorative icon in the color and size of the text, on a 24-unit grid with 1.75-unit strokes.
 *
 * @param shapes path data, or elements such as `circle(…)` and `rect(…)`
 */
function icon(...shapes: (string | ReactElement)[]) {
  const children = shapes.map((shape) => (typeof shape === 'string' ? <path key={shape} d={shape} /> : shape))
  return ({ filled = false }: IconProps) => (
    <Svg
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable={false}
    >
      {children}
    </Svg>
  )
}

const circle = (cx: number, cy: number, r: number) => <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r={r} />
const rect = (x: number, y: number, width: number, height: number, rx: number) => (
  <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx={rx} />
)

export const HomeIcon = icon('M4 10.5 12 4l8 6.5V19a1.5 1.5 0 0 1-1.5 1.5h-4v-6h-5v6h-4A1.5 1.5 0 0 1 4 19z')
export const SearchIcon = icon(circle(11, 11, 6.5), 'm16 16 4.5 4.5')
export const BellIcon = icon('M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10z', 'M10 20a2.2 2.2 0 0 0 4 0')
export const MessageIcon = icon('M4 5.5h16v11H10.5L6 20v-3.5H4z')
export const PersonIcon = icon(circle(12, 8, 3.75), 'M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6')
export const PeopleIcon = icon(
  circle(9, 8.5, 3.25),
  'M3 19.5c.5-3.5 2.9-5.5 6-5.5s5.5 2 6 5.5',
  'M15.5 5.7a3.25 3.25 0 0 1 0 5.6M17.5 14.5c2 .8 3.2 2.5 3.5 5',
)
export const ZoomInIcon = icon(circle(11, 11, 6.5), 'm16 16 4.5 4.5M11 8.5v5M8.5 11h5')
export const ZoomOutIcon = icon(circle(11, 11, 6.5), 'm16 16 4.5 4.5M8.5 11h5')
export const DownloadIcon = icon('M12 4.5v10.5M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14')
export const PlusIcon = icon('M12 5v14M5 12h14')
export const CloseIcon = icon('m6 6 12 12M18 6 6 18')
export const PinIcon = icon('M9 4h6M10 4v6l-3.5 4h11L14 10V4M12 14v6.5')
export const MoreIcon = icon(circle(5.5, 12, 1), circle(12, 12, 1), circle(18.5, 12, 1))
export const HeartIcon = icon(
  'M12 20S4 15.2 4 9.3A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 8 2.1C20 15.2 12 20 12 20z',
)
export const SendIcon = icon('M4 12 20 4.5 15.5 20l-3.7-6.3zM11.8 13.7 20 4.5')
export const SmileIcon = icon(
  circle(12, 12, 8.25),
  'M8.5 14c.8 1.4 2 2.1 3.5 2.1s2.7-.7 3.5-2.1M9 9.5v.5M15 9.5v.5',
)
export const EyeIcon = icon(
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z',
  circle(12, 12, 2.75),
)
export const EyeOffIcon = icon(
  'M9.9 5.7A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.9 3.6M6.2 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.6-1.3',
  'M10 10.1a2.75 2.75 0 0 0 3.9 3.9M4 4l16 16',
)
export const AlertIcon = icon(circle(12, 12, 8.5), 'M12 7.5v5.5M12 16v.2')
export const InfoIcon = icon(circle(12, 12, 8.5), 'M12 11.2v5.3M12 7.6v.2')
export const ArrowLeftIcon = icon('M19 12H5M11 6l-6 6 6 6')
export const ChevronDownIcon = icon('m6 9.5 6 6 6-6')
export const LockIcon = icon(rect(5, 10.5, 14, 9.5, 2), 'M8 10.5V8a4 4 0 0 1 8 0v2.5')
export const ShieldIcon = icon(
  'M12 3.5 19 6v5.5c0 4.5-2.9 7.5-7 9-4.1-1.5-7-4.5-7-9V6z',
  'm9 12 2.2 2.2L15.2 10',
)
export const SparkIcon = icon('M12 3.5 14 10l6.5 2-6.5 2-2 6.5L10 14l-6.5-2L10 10z')
export const CoinIcon = icon(
  circle(12, 12, 8.5),
  'M14.8 9.2c-.5-.9-1.5-1.4-2.8-1.4-1.6 0-2.8.8-2.8 2.1 0 3 5.8 1.3 5.8 4.3 0 1.3-1.3 2.1-3 2.1-1.4 0-2.5-.6-3-1.6M12 6.2v1.6M12 16.3v1.5',
)
export const BankIcon = icon('M4 9.5 12 4.5l8 5zM5 19.5h14M6.5 12.5v4M10.2 12.5v4M13.8 12.5v4M17.5 12.5v4')
export const SunIcon = icon(
  circle(12, 12, 3.75),
  'M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3',
)
export const MoonIcon = icon('M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z')
export const ScreenIcon = icon(rect(3.5, 5, 17, 11.5, 1.5), 'M9 20h6M12 16.5V20')
export const LogOutIcon = icon(
  'M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5',
)
export const CalendarIcon = icon(rect(4, 5.5, 16, 14.5, 2), 'M4 10h16M8.5 3.5v3.5M15.5 3.5v3.5')
export const BanIcon = icon(circle(12, 12, 8.5), 'm6 6 12 12')
export const CompassIcon = icon(circle(12, 12, 8.5), 'm15.5 8.5-2 5-5 2 2-5z')
export const StarIcon = icon('m12 4 2.4 5 5.6.8-4 3.9 1 5.5-5-2.7-5 2.7 1-5.5-4-3.9 5.6-.8z')
export const BookmarkIcon = icon('M6.5 4.5h11v15L12 15.5l-5.5 4z')
export const ChartIcon = icon('M4 20h16M6.5 16.5v-5M12 16.5v-11M17.5 16.5v-8')
export const SettingsIcon = icon('M4 7h9M17 7h3M4 17h3M11 17h9', circle(15, 7, 2), circle(9, 17, 2))
export const PhoneIcon = icon(rect(7, 3.5, 10, 17, 2), 'M11 17.5h2')
export const CommentIcon = icon(
  'M12 4.5c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1.2 0-2.3-.2-3.3-.5L4 19.5l1.3-3.8A6.3 6.3 0 0 1 3.5 11.5c0-3.9 3.8-7 8.5-7z',
)
export const PlayIcon = icon('M7.5 5v14l11-7z')
export const PauseIcon = icon(rect(6.5, 5, 3.5, 14, 1), rect(14, 5, 3.5, 14, 1))
export const LinkIcon = icon(
  'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
)
export const PencilIcon = icon('M4.5 19.5 5.5 15 15.5 5l3.5 3.5-10 10zM13.5 7l3.5 3.5')
export const TrashIcon = icon('M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 11v4.5M13.5 11v4.5')
export const ImageIcon = icon(rect(4, 4.5, 16, 15, 2), circle(9, 9.5, 1.5), 'm4.5 17 4.5-4 3 2.5 4-4.5 4 4')
export const ListIcon = icon('M4 7h.5M4 12h.5M4 17h.5M8.5 7H20M8.5 12H20M8.5 17H20')
export const GridIcon = icon('M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z')
export const PostIcon = icon(rect(4, 4.5, 16, 15, 2), 'M8 9h8M8 12.5h8M8 16h4.5')
export const CameraIcon = icon('M4 8h3.5L9 5.5h6L16.5 8H20v11H4z', circle(12, 13, 3.25))
export const ShareIcon = icon('M12 15V4M8 7.5 12 4l4 3.5M6 11.5v8h12v-8')
export const VideoIcon = icon(rect(3.5, 6, 12, 12, 2), 'm15.5 10.5 5-2.5v8l-5-2.5')
export const ReplyIcon = icon('M9.5 6 4.5 11l5 5M5 11h8.5a6 6 0 0 1 6 6v1.5')
export const QuoteIcon = icon(
  'M10 7.5H5.5v5H10zM10 12.5c0 2.4-1.2 3.8-3.5 4.5M18.5 7.5H14v5h4.5zM18.5 12.5c0 2.4-1.2 3.8-3.5 4.5',
)
export const RepostIcon = icon(
  'M4 13.5V11a3.5 3.5 0 0 1 3.5-3.5H20M16.5 4 20 7.5 16.5 11M20 10.5V13a3.5 3.5 0 0 1-3.5 3.5H4M7.5 20 4 16.5 7.5 13',
)
export const AtIcon = icon(circle(12, 12, 3.5), 'M15.5 8.5v4.75a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.4 6.8')
export const CheckIcon = icon('m4.5 12.5 5 5 10-11')
export const CheckTwiceIcon = icon('m1 12.5 4.5 4.5L14 7.5M10.5 14.5 13 17l9-9.5')
export const ClockIcon = icon(circle(12, 12, 8.5), 'M12 7.5V12l3 2')
export const CopyIcon = icon(
  rect(8.5, 8.5, 11, 11.5, 1.5),
  'M15.5 8.5V5.5A1.5 1.5 0 0 0 14 4H6A1.5 1.5 0 0 0 4.5 5.5V14A1.5 1.5 0 0 0 6 15.5h2.5',
)
export const RotateIcon = icon('M19.5 12a7.5 7.5 0 1 1-2.6-5.7l2.6 2.2M19.5 4v4.5H15')
export const VideoOffIcon = icon(
  'M7 6h6.5a2 2 0 0 1 2 2v6M15.5 16a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2V8a2 2 0 0 1 1.2-1.8M15.5 10.5l5-2.5v8l-2-1M4 4l16 16',
)
export const MegaphoneIcon = icon('M4 10v4.5h3L17.5 19V5.5L7 10zM8 14.5l1.2 4.5h2.6l-.9-3M20.5 10.5v3.5')
export const MicrophoneIcon = icon(rect(9, 3.5, 6, 11, 3), 'M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v2.5')
export const MicrophoneOffIcon = icon(
  'M9 9V6.5a3 3 0 0 1 6 0v5M9.5 13.2a3 3 0 0 0 4 1M5.5 11.5a6.5 6.5 0 0 0 10.7 5M18.5 11.5a6.4 6.4 0 0 1-.4 2.2M12 18v2.5M4 4l16 16',
)
export const LiveIcon = icon(
  circle(12, 12, 2.25),
  'M8.3 15.7a5.25 5.25 0 0 1 0-7.4M15.7 8.3a5.25 5.25 0 0 1 0 7.4M5.5 18.5a9.2 9.2 0 0 1 0-13M18.5 5.5a9.2 9.2 0 0 1 0 13',
)
export const TagIcon = icon(
  'M12.5 4H20v7.5l-8.8 8.4a1.5 1.5 0 0 1-2.1 0l-5.2-5.3a1.5 1.5 0 0 1 0-2.1z',
  circle(16, 8, 1.1),
)
export const CodeIcon = icon('m8.5 7.5-4.5 4.5 4.5 4.5M15.5 7.5 20 12l-4.5 4.5')
export const FlagIcon = icon('M6 20.5v-16M6 5h11.5l-2.2 4 2.2 4H6')
export const ExternalLinkIcon = icon(
  'M13.5 4.5h6v6M19 5l-8.5 8.5M17.5 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4',
)

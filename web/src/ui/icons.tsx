import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const Svg = chakra('svg', { base: { width: '1em', height: '1em', flexShrink: 0, display: 'block' } })

type IconProps = {
  /** Filled in, for what is switched on. */
  filled?: boolean
}

/** Draws in the text's colour and size, on a 24-unit grid with 1.75-unit strokes. Always decorative. */
function Icon({ filled = false, children }: IconProps & { children: ReactNode }) {
  return (
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

export const HomeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 10.5 12 4l8 6.5V19a1.5 1.5 0 0 1-1.5 1.5h-4v-6h-5v6h-4A1.5 1.5 0 0 1 4 19z" />
  </Icon>
)
export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </Icon>
)
export const BellIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10z" />
    <path d="M10 20a2.2 2.2 0 0 0 4 0" />
  </Icon>
)
export const MessageIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 5.5h16v11H10.5L6 20v-3.5H4z" />
  </Icon>
)
export const PersonIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="8" r="3.75" />
    <path d="M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6" />
  </Icon>
)
export const PeopleIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="9" cy="8.5" r="3.25" />
    <path d="M3 19.5c.5-3.5 2.9-5.5 6-5.5s5.5 2 6 5.5" />
    <path d="M15.5 5.7a3.25 3.25 0 0 1 0 5.6M17.5 14.5c2 .8 3.2 2.5 3.5 5" />
  </Icon>
)
export const PlusIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 5v14M5 12h14" />
  </Icon>
)
export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
)
export const MoreIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="5.5" cy="12" r="1" />
    <circle cx="12" cy="12" r="1" />
    <circle cx="18.5" cy="12" r="1" />
  </Icon>
)
export const HeartIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 20S4 15.2 4 9.3A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 8 2.1C20 15.2 12 20 12 20z" />
  </Icon>
)
export const SendIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 12 20 4.5 15.5 20l-3.7-6.3zM11.8 13.7 20 4.5" />
  </Icon>
)
export const SmileIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.25" />
    <path d="M8.5 14c.8 1.4 2 2.1 3.5 2.1s2.7-.7 3.5-2.1M9 9.5v.5M15 9.5v.5" />
  </Icon>
)
export const EyeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.75" />
  </Icon>
)
export const EyeOffIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9.9 5.7A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.9 3.6M6.2 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.6-1.3" />
    <path d="M10 10.1a2.75 2.75 0 0 0 3.9 3.9M4 4l16 16" />
  </Icon>
)
export const AlertIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5v5.5M12 16v.2" />
  </Icon>
)
export const ArrowLeftIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M19 12H5M11 6l-6 6 6 6" />
  </Icon>
)
export const ChevronDownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 9.5 6 6 6-6" />
  </Icon>
)
export const LockIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
    <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
  </Icon>
)
export const ShieldIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 3.5 19 6v5.5c0 4.5-2.9 7.5-7 9-4.1-1.5-7-4.5-7-9V6z" />
    <path d="m9 12 2.2 2.2L15.2 10" />
  </Icon>
)
export const SparkIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 3.5 14 10l6.5 2-6.5 2-2 6.5L10 14l-6.5-2L10 10z" />
  </Icon>
)
export const CoinIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M14.8 9.2c-.5-.9-1.5-1.4-2.8-1.4-1.6 0-2.8.8-2.8 2.1 0 3 5.8 1.3 5.8 4.3 0 1.3-1.3 2.1-3 2.1-1.4 0-2.5-.6-3-1.6M12 6.2v1.6M12 16.3v1.5" />
  </Icon>
)
export const BankIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 9.5 12 4.5l8 5zM5 19.5h14M6.5 12.5v4M10.2 12.5v4M13.8 12.5v4M17.5 12.5v4" />
  </Icon>
)
export const SunIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="3.75" />
    <path d="M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3" />
  </Icon>
)
export const MoonIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />
  </Icon>
)
export const ScreenIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="3.5" y="5" width="17" height="11.5" rx="1.5" />
    <path d="M9 20h6M12 16.5V20" />
  </Icon>
)
export const LogOutIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />
  </Icon>
)
export const CalendarIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="4" y="5.5" width="16" height="14.5" rx="2" />
    <path d="M4 10h16M8.5 3.5v3.5M15.5 3.5v3.5" />
  </Icon>
)
export const BanIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m6 6 12 12" />
  </Icon>
)
export const CompassIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m15.5 8.5-2 5-5 2 2-5z" />
  </Icon>
)
export const StarIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m12 4 2.4 5 5.6.8-4 3.9 1 5.5-5-2.7-5 2.7 1-5.5-4-3.9 5.6-.8z" />
  </Icon>
)
export const BookmarkIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6.5 4.5h11v15L12 15.5l-5.5 4z" />
  </Icon>
)
export const ChartIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 20h16M6.5 16.5v-5M12 16.5v-11M17.5 16.5v-8" />
  </Icon>
)
export const SettingsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
    <circle cx="15" cy="7" r="2" />
    <circle cx="9" cy="17" r="2" />
  </Icon>
)
export const PhoneIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="7" y="3.5" width="10" height="17" rx="2" />
    <path d="M11 17.5h2" />
  </Icon>
)
export const CommentIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4.5c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1.2 0-2.3-.2-3.3-.5L4 19.5l1.3-3.8A6.3 6.3 0 0 1 3.5 11.5c0-3.9 3.8-7 8.5-7z" />
  </Icon>
)
export const PlayIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7.5 5v14l11-7z" />
  </Icon>
)
export const LinkIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1" />
  </Icon>
)
export const PencilIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4.5 19.5 5.5 15 15.5 5l3.5 3.5-10 10zM13.5 7l3.5 3.5" />
  </Icon>
)
export const TrashIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.400L17 7M10.5 11v4.5M13.5 11v4.5" />
  </Icon>
)
export const ImageIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="4" y="4.5" width="16" height="15" rx="2" />
    <circle cx="9" cy="9.5" r="1.5" />
    <path d="m4.5 17 4.5-4 3 2.5 4-4.5 4 4" />
  </Icon>
)
export const VideoIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="3.5" y="6" width="12" height="12" rx="2" />
    <path d="m15.5 10.5 5-2.5v8l-5-2.5" />
  </Icon>
)
export const ReplyIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9.5 6 4.5 11l5 5M5 11h8.5a6 6 0 0 1 6 6v1.5" />
  </Icon>
)
export const AtIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="3.5" />
    <path d="M15.5 8.5v4.75a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.4 6.8" />
  </Icon>
)
export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m4.5 12.5 5 5 10-11" />
  </Icon>
)
export const CheckTwiceIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m2.5 12.5 4 4 8.5-9M11.5 15.5l1 1 8.5-9" />
  </Icon>
)
export const ClockIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
)
export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="8.5" y="8.5" width="11" height="11.5" rx="1.5" />
    <path d="M15.5 8.5V5.5A1.5 1.5 0 0 0 14 4H6A1.5 1.5 0 0 0 4.5 5.5V14A1.5 1.5 0 0 0 6 15.5h2.5" />
  </Icon>
)
export const RotateIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.6-5.7l2.6 2.2M19.5 4v4.5H15" />
  </Icon>
)
export const VideoOffIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7 6h6.5a2 2 0 0 1 2 2v6M15.5 16a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2V8a2 2 0 0 1 1.2-1.8M15.5 10.5l5-2.5v8l-2-1M4 4l16 16" />
  </Icon>
)
export const MicrophoneIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="9" y="3.5" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v2.5" />
  </Icon>
)
export const MicrophoneOffIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9 9V6.5a3 3 0 0 1 6 0v5M9.5 13.2a3 3 0 0 0 4 1M5.5 11.5a6.5 6.5 0 0 0 10.7 5M18.5 11.5a6.4 6.4 0 0 1-.4 2.2M12 18v2.5M4 4l16 16" />
  </Icon>
)
export const LiveIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="2.25" />
    <path d="M8.3 15.7a5.250 5.250 0 0 1 0-7.4M15.7 8.3a5.250 5.250 0 0 1 0 7.4M5.5 18.5a9.2 9.2 0 0 1 0-13M18.5 5.5a9.2 9.2 0 0 1 0 13" />
  </Icon>
)
export const TagIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12.5 4H20v7.5l-8.8 8.4a1.5 1.5 0 0 1-2.1 0l-5.2-5.3a1.5 1.5 0 0 1 0-2.1z" />
    <circle cx="16" cy="8" r="1.1" />
  </Icon>
)
export const FlagIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6 20.5v-16M6 5h11.5l-2.2 4 2.2 4H6" />
  </Icon>
)
export const ExternalLinkIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M13.5 4.5h6v6M19 5l-8.5 8.5M17.5 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4" />
  </Icon>
)

export { schedulePost } from '../../api/scheduled-posts'
export { ScheduleField } from './ScheduleField'
export { SchedulePicker } from './SchedulePicker'

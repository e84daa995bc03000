export { Cover } from '@/ui/Cover'

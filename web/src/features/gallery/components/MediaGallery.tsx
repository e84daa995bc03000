import { Gallery } from './Gallery'

/** Somebody's gallery, for the screens that show a person: `own` where it is the viewer's. */
export default function MediaGallery(props: { userId: string; own: boolean; name: string }) {
  return <Gallery key={props.userId} {...props} />
}

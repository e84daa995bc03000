import { chakra } from '@chakra-ui/react'
import { Link } from 'react-router-dom'
import { appName } from '@/lib/app-name'
import { paths } from '@/lib/paths'
import { Logo } from './Logo'

const Home = chakra(Link, { base: { display: 'block', justifySelf: 'start', borderRadius: 'sm' } })

/** The product's name, leading home. */
export function LogoLink() {
  return (
    <Home to={paths.home.getHref()} aria-label={`${appName}, home`}>
      <Logo name={appName} />
    </Home>
  )
}

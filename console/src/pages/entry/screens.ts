export { Join } from './by-link.tsx';
export { Setup } from './setup.tsx';
export { SignIn } from './sign-in.tsx';

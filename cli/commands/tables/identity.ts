// The commands for your identity.
import type { Command } from '../../command.js';

export const identityCommands: Command[] = [
  {
    name: 'login',
    summary: "Sign in with the cloud's identity provider",
    options: {
      device: { type: 'boolean', summary: 'Show a code to enter in a browser on another machine' },
      'no-browser': { type: 'boolean', summary: 'Print the URL instead of opening it' },
    },
    load: () => import('../login.js'),
  },
  {
    name: 'logout',
    summary: 'Sign out: end the session and remove its tokens from this machine',
    options: {},
    load: () => import('../logout.js'),
  },
  {
    name: 'whoami',
    summary: 'Show your identity, cloud and project',
    options: {},
    load: () => import('../whoami.js'),
  },
  {
    name: 'link',
    summary: 'Link this folder to a project, if you are signed in',
    usage: 'ORG/PROJECT',
    positionals: { min: 1, max: 1 },
    options: {},
    load: () => import('../link.js'),
  },
];

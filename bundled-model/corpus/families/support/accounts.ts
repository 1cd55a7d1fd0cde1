// Accounts, passwords and subscriptions.
import type { Intent } from '../../intent.js';

const password: Intent = {
  asks: [
    'I forgot my password.',
    'How do I reset my password?',
    'How can I change my password?',
    'I need a new password.',
    'My password does not work.',
    'I cannot remember my password.',
    'Please reset my password.',
    'I lost my password. What now?',
    'Where can I change my password?',
    'I need to reset the password for {email}.',
    'The password for {email} does not work any more.',
    'I forgot the password for my account {email}.',
  ],
  answers: [
    'Click "Forgot password" on the login page, and follow the link in the email.',
    'Open the login page, click "Forgot password" and choose a new one.',
    'Click "Forgot password" on the login page and enter {email}. You get a link by email.',
  ],
};

const noResetMail: Intent = {
  asks: [
    'I did not get the email to reset my password.',
    'The reset link does not work.',
    'The password email never came.',
    'I asked for a new password, but no email came.',
    'No reset email arrives at {email}.',
    'My reset link has expired.',
    'I wait for the reset email to {email}.',
    'I get no email when I click "Forgot password".',
    'You sent no link to {email}.',
  ],
  answers: [
    'Please check your spam folder and ask for a new link. A link works only once.',
    'Please check the spam folder of {email} and ask for a new link.',
  ],
};

const login: Intent = {
  asks: [
    'I cannot log in.',
    'I can not log in to my account.',
    'The login does not work.',
    'I get an error when I log in.',
    'Why can I not sign in?',
    'I am locked out of my account.',
    'My account is locked.',
    'Login with {email} fails.',
    'I cannot sign in with {email}.',
    'It says that my login is wrong.',
    'The login page does not accept {email}.',
    'Since {date} I cannot log in.',
  ],
  answers: [
    'I am sorry. Please reset your password on the login page and try again.',
    'I am sorry that you cannot log in. Please reset your password and try again.',
    'I am sorry that you cannot log in with {email}. Please reset your password and try again.',
  ],
};

const changeEmail: Intent = {
  asks: [
    'How do I change my email address?',
    'I have a new email address.',
    'My new email is {email}.',
    'Please change my email to {email}.',
    'I want to use {email} for my account.',
    'Can you update my email to {email}?',
    'I no longer use my old email address.',
    'Where can I change my email?',
    'From now on, please write to {email}.',
    'I entered the wrong email in my account.',
  ],
  answers: [
    'You can change your email in your account, under Settings.',
    'You can change your email to {email} in your account, under Settings.',
    'Open Settings in your account and enter {email} as your new email.',
  ],
};

const changeName: Intent = {
  asks: [
    'My name is spelled wrong in my account.',
    'I want to change my name in the account.',
    'I got married. My new name is {fullName}.',
    'Please change the name on my account to {fullName}.',
    'My account should be under the name {fullName}.',
    'How can I change my name?',
    'The name on my account must be {fullName}.',
    'Can you update my name to {fullName}?',
    'My account has the wrong name.',
  ],
  answers: [
    'You can change your name in your account, under Settings.',
    'You can change the name to {fullName} in your account, under Settings.',
  ],
};

const deleteAccount: Intent = {
  asks: [
    'I want to delete my account.',
    'How do I delete my account?',
    'Please delete my account.',
    'Please delete all my data.',
    'I want to close my account.',
    'Please close the account {email}.',
    'Delete the account for {email}, please.',
    'I do not need my account any more.',
    'How can I close my account?',
    'Remove my account and my data.',
  ],
  answers: [
    'You can delete your account under Settings, at the bottom of the page.',
    'Please log in with {email} and delete the account under Settings.',
  ],
};

const hacked: Intent = {
  asks: [
    'Someone used my account.',
    'I think that my account was hacked.',
    'There is an order {order} that I did not make.',
    'I see a login from {city}, but I was not there.',
    'Someone logged in to my account from {city}.',
    'A stranger changed my password.',
    'I did not place order {order}. Someone used my account.',
    'My account was used without me.',
    'I got an email about a login from {city}. It was not me.',
  ],
  answers: [
    'Please change your password now. We will check your account.',
    'Please change your password now. We will stop order {order} and check your account.',
    'Please change your password now. We will check the login from {city}.',
  ],
};

const cancelPlan: Intent = {
  asks: [
    'I want to cancel my subscription.',
    'How do I cancel my subscription?',
    'Please cancel my plan.',
    'Cancel my subscription on {date}.',
    'I want to end my plan on {date}.',
    'I do not need my plan any more.',
    'How can I stop my subscription?',
    'Please end my contract.',
    'Stop my plan, please.',
    'Can I cancel my plan for {date}?',
    'I want to leave. How do I cancel?',
  ],
  answers: [
    'You can cancel your plan in your account, under Subscription.',
    'You can cancel your plan for {date} in your account, under Subscription.',
  ],
};

const changePlan: Intent = {
  asks: [
    'I want to change my plan.',
    'How do I upgrade my plan?',
    'Can I switch to the yearly plan?',
    'I want to move to a smaller plan.',
    'I need a bigger plan.',
    'How can I change my subscription?',
    'Can I pay once a year?',
    'I want to downgrade my plan.',
    'Which plans can I switch to?',
    'I would like to upgrade.',
  ],
  answers: [
    'Open Subscription in your account and choose the new plan.',
    'You can change your plan in your account, under Subscription.',
  ],
};

const pausePlan: Intent = {
  asks: [
    'Can I pause my subscription?',
    'I want to pause my plan.',
    'I am away until {date}. Can I pause my plan?',
    'Please pause my subscription until {date}.',
    'Is it possible to stop my plan until {date}?',
    'I do not use my plan this month. Can I pause it?',
    'How do I pause my subscription?',
    'I am on holiday and want to pause my plan.',
    'Hold my plan until {date}, please.',
  ],
  answers: [
    'Open Subscription in your account and click "Pause".',
    'Open Subscription in your account, click "Pause" and choose {date}.',
  ],
};

export const ACCOUNTS: readonly Intent[] = [
  password,
  noResetMail,
  login,
  changeEmail,
  changeName,
  deleteAccount,
  hacked,
  cancelPlan,
  changePlan,
  pausePlan,
];

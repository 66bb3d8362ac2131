/** It is renewed every two seconds, and in its last three nothing is sent: with less it would hardly ever be of use. */
export const minLeaseSeconds = 5;
export const maxLeaseSeconds = 600;

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/check/doctor.h
 * hesca doctor: the command line that starts a program (doctor_command.c),
 * what is wrong with it and with the environment (cmd_doctor.c), and its
 * processes without the program (doctor_start.c). */
#ifndef HESCA_TOOLS_CHECK_DOCTOR_H
#define HESCA_TOOLS_CHECK_DOCTOR_H

typedef enum { DOCTOR_FINE, DOCTOR_PROBLEM } doctor_kind;

typedef struct {
    int json, start; /* options */
    int nlines, nproblems;
    char **word;   /* of the command, then NULL; empty without one */
    int launcher;  /* 1: word[0] is a launcher */
    int program;   /* word[program]; -1: none was found */
    char *preload; /* LD_PRELOAD of the processes, or NULL */
} doctor;

/** Print a line of the report. */
void doctor_say(doctor *x, doctor_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Find launcher, program and LD_PRELOAD in the command, and set the other
 * variables that it sets. */
void doctor_command_read(doctor *x);

/** Start the processes of the command, each with this tool instead of the
 * program, and report what they say. */
void doctor_start(doctor *x);

/** What each of these processes does.
 * \return The exit status. */
int doctor_process(void);

#endif

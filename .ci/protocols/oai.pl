#!/usr/bin/env perl
# Harvests the register by OAI-PMH with HTTP::OAI, a client of others: oai.pl BASE
#
# Both formats are listed to their end, along the resumption tokens; each record is asked for
# again by itself; what is from tomorrow on is nothing; and the entries of dcat_ap are those of
# the pages of DCAT-AP.
use strict;
use warnings;
use HTTP::OAI;
use LWP::UserAgent;

my $base = shift or die "usage: oai.pl BASE\n";
my $harvester = HTTP::OAI::Harvester->new(baseURL => "$base/api/v1/oai");
my $identify = $harvester->Identify;
die "Identify: " . $identify->message . "\n" if $identify->is_error;
die "deletions are not kept for good\n" if $identify->deletedRecord ne 'persistent';

sub ids {
    my (%args) = @_;
    my ($deleted, %ids) = (0);
    my $list = $harvester->ListRecords(%args, onRecord => sub {
        my $record = shift;
        if ($record->is_deleted) { $deleted++; return }
        die $record->identifier . " has no metadata\n" unless $record->metadata;
        $ids{$1}++ if $record->identifier =~ /([0-9a-f-]{36})$/;
    });
    die "ListRecords: " . $list->message . "\n" if $list->is_error;
    die "$_ is listed twice\n" for grep { $ids{$_} > 1 } keys %ids;
    return (\%ids, $deleted);
}

my ($core, $gone) = ids(metadataPrefix => 'oai_dc');
my ($dcat) = ids(metadataPrefix => 'dcat_ap');
my ($data) = ids(metadataPrefix => 'oai_dc', set => 'type:dataset');
die "no records\n" unless %$core && %$dcat && %$data;
die "a set is as large as all\n" unless keys %$data < keys %$core;

my ($agent, %listed) = (LWP::UserAgent->new);
my $at = "$base/api/v1/catalog/dcat/1.ttl";
while ($at) {
    my $page = $agent->get($at);
    die "$at: " . $page->status_line . "\n" unless $page->is_success;
    my $text = $page->decoded_content;
    while ($text =~ m{dcat:(?:dataset|service) ((?:<[^>]+>(?: ,\s+)?)+)}g) {
        my $list = $1;
        $listed{$1} = 1 while $list =~ m{/id/([0-9a-f-]{36})>}g;
    }
    ($at) = ($page->header('Link') // '') =~ /<([^>]+)>;\s*rel="next"/;
    $at = $base . $at if $at && $at =~ m{^/};
}
for my $id (sort keys %listed) { die "$id is on the pages of DCAT-AP and no record\n" unless $dcat->{$id} }
for my $id (sort keys %$dcat) { die "$id is a record and on no page of DCAT-AP\n" unless $listed{$id} }

my $asked = 0;
my ($name) = map { $_->identifier } $harvester->ListIdentifiers(metadataPrefix => 'oai_dc')->next;
for my $id ((sort keys %$core)[0 .. 9]) {
    $name =~ s/[0-9a-f-]{36}$/$id/;
    my $one = $harvester->GetRecord(identifier => $name, metadataPrefix => 'oai_dc');
    die "GetRecord $name: " . $one->message . "\n" if $one->is_error;
    my $record = $one->next;
    die "GetRecord $name gives another one\n" unless $record && $record->identifier eq $name && $record->metadata;
    $asked++;
}
my $none = $harvester->ListIdentifiers(metadataPrefix => 'oai_dc', from => '2999-01-01');
my @errors = $none->errors;
die "what is from the future is no error noRecordsMatch\n" unless @errors && $errors[0]->code eq 'noRecordsMatch';
printf "HTTP::OAI: %d records of oai_dc, %d of dcat_ap, those of the pages, %d deletions, %d datasets; %d asked for one by one\n",
    scalar keys %$core, scalar keys %$dcat, $gone, scalar keys %$data, $asked;

/* A small window in GTK 2. The diary on standard output says what happened; a line on standard input ends it. */
#include <gtk/gtk.h>
#include <stdio.h>

static void say(const char *key, const char *value) {
  printf("{\"%s\": \"%s\"}\n", key, value);
  fflush(stdout);
}

static void clicked(GtkWidget *button, gpointer unused) { say("clicked", gtk_button_get_label(GTK_BUTTON(button))); }

static void toggled(GtkToggleButton *box, gpointer unused) {
  say("wrap", gtk_toggle_button_get_active(box) ? "on" : "off");
}

static void typed(GtkWidget *entry, gpointer unused) { say("name", gtk_entry_get_text(GTK_ENTRY(entry))); }

static void stepped(GtkSpinButton *spin, gpointer unused) {
  char text[32];
  snprintf(text, sizeof text, "%d", gtk_spin_button_get_value_as_int(spin));
  say("age", text);
}

static void picked(GtkComboBox *box, gpointer unused) {
  gchar *text = gtk_combo_box_get_active_text(box);
  say("colour", text);
  g_free(text);
}

static void chosen(GtkMenuItem *item, gpointer unused) { say("chosen", gtk_menu_item_get_label(item)); }

static void row(GtkTreeSelection *selection, gpointer unused) {
  GtkTreeModel *model;
  GtkTreeIter at;
  gchar *text;
  if (!gtk_tree_selection_get_selected(selection, &model, &at)) return;
  gtk_tree_model_get(model, &at, 0, &text, -1);
  say("row", text);
  g_free(text);
}

static gboolean ended(GIOChannel *in, GIOCondition why, gpointer unused) {
  gtk_main_quit();
  return FALSE;
}

static gboolean ready(gpointer unused) {
  puts("{\"ready\": true}");
  fflush(stdout);
  return FALSE;
}

static GtkWidget *labelled(GtkWidget *box, const char *text, GtkWidget *field) {
  GtkWidget *line = gtk_hbox_new(FALSE, 6), *label = gtk_label_new(text);
  gtk_label_set_mnemonic_widget(GTK_LABEL(label), field);
  gtk_box_pack_start(GTK_BOX(line), label, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(line), field, TRUE, TRUE, 0);
  gtk_box_pack_start(GTK_BOX(box), line, FALSE, FALSE, 0);
  return field;
}

int main(int argc, char **argv) {
  gtk_init(&argc, &argv);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL), *box = gtk_vbox_new(FALSE, 6);
  gtk_window_set_title(GTK_WINDOW(window), "GTK 2 fixture");
  gtk_container_add(GTK_CONTAINER(window), box);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);

  GtkWidget *bar = gtk_menu_bar_new(), *file = gtk_menu_item_new_with_label("File"), *menu = gtk_menu_new();
  GtkWidget *open = gtk_menu_item_new_with_label("Open");
  g_signal_connect(open, "activate", G_CALLBACK(chosen), NULL);
  gtk_menu_shell_append(GTK_MENU_SHELL(menu), open);
  gtk_menu_item_set_submenu(GTK_MENU_ITEM(file), menu);
  gtk_menu_shell_append(GTK_MENU_SHELL(bar), file);
  gtk_box_pack_start(GTK_BOX(box), bar, FALSE, FALSE, 0);

  GtkWidget *save = gtk_button_new_with_label("Save"), *wrap = gtk_check_button_new_with_label("Wrap");
  g_signal_connect(save, "clicked", G_CALLBACK(clicked), NULL);
  g_signal_connect(wrap, "toggled", G_CALLBACK(toggled), NULL);
  gtk_box_pack_start(GTK_BOX(box), save, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(box), wrap, FALSE, FALSE, 0);

  GtkWidget *name = labelled(box, "Name", gtk_entry_new());
  gtk_entry_set_text(GTK_ENTRY(name), "Ada");
  g_signal_connect(name, "changed", G_CALLBACK(typed), NULL);
  GtkWidget *age = labelled(box, "Age", gtk_spin_button_new_with_range(0, 130, 1));
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(age), 36);
  g_signal_connect(age, "value-changed", G_CALLBACK(stepped), NULL);
  GtkWidget *secret = labelled(box, "Password", gtk_entry_new());
  gtk_entry_set_text(GTK_ENTRY(secret), "hunter2-canary");
  gtk_entry_set_visibility(GTK_ENTRY(secret), FALSE);
  GtkWidget *colour = labelled(box, "Colour", gtk_combo_box_new_text());
  const char *colours[] = {"Red", "Green", "Blue"};
  for (int n = 0; n < 3; n++) gtk_combo_box_append_text(GTK_COMBO_BOX(colour), colours[n]);
  gtk_combo_box_set_active(GTK_COMBO_BOX(colour), 0);
  g_signal_connect(colour, "changed", G_CALLBACK(picked), NULL);

  GtkListStore *store = gtk_list_store_new(2, G_TYPE_STRING, G_TYPE_STRING);
  for (int n = 1; n <= 60; n++) {
    GtkTreeIter at;
    char task[16];
    snprintf(task, sizeof task, "Task %d", n);
    gtk_list_store_append(store, &at);
    gtk_list_store_set(store, &at, 0, task, 1, n % 2 ? "Alan" : "Ada", -1);
  }
  GtkWidget *tasks = gtk_tree_view_new_with_model(GTK_TREE_MODEL(store)), *scroll = gtk_scrolled_window_new(NULL, NULL);
  const char *headers[] = {"Task", "Owner"};
  for (int n = 0; n < 2; n++)
    gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(tasks), -1, headers[n], gtk_cell_renderer_text_new(), "text", n, NULL);
  g_signal_connect(gtk_tree_view_get_selection(GTK_TREE_VIEW(tasks)), "changed", G_CALLBACK(row), NULL);
  gtk_widget_set_size_request(scroll, 300, 140);
  gtk_container_add(GTK_CONTAINER(scroll), tasks);
  gtk_box_pack_start(GTK_BOX(box), scroll, TRUE, TRUE, 0);

  gtk_widget_show_all(window);
  g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, ended, NULL);
  g_idle_add(ready, NULL);
  gtk_main();
  return 0;
}
